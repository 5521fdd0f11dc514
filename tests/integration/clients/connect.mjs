// SPDX-License-Identifier: Apache-2.0
// The public clients behind one door: "sdk" is SDK 1.x; "legacy" and "modern" are client 2.x in either era; each
// with "-http" behind it over HTTP instead of stdio, with "-connect" over stdio by way of `skillhost connect`, with
// "-remote" by way of mcp-remote, to a server that wants a token.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  PromptListChangedNotificationSchema, ResourceListChangedNotificationSchema, ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { server } from './check.mjs';

const schemas = {
  'notifications/resources/updated': ResourceUpdatedNotificationSchema,
  'notifications/resources/list_changed': ResourceListChangedNotificationSchema,
  'notifications/prompts/list_changed': PromptListChangedNotificationSchema,
  'notifications/tools/list_changed': ToolListChangedNotificationSchema,
};

/** A server over HTTP on a free port: its URL, and {stderr()}. It ends with this process. */
export async function serveHttp(folder, options = []) {
  const child = spawn(server, ['serve', '--transport', 'http', '--port', '0', '--skills-dir', folder, ...options],
    { stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => child.kill());
  let text = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      text += chunk;
      const found = / serving on (http:\S+)/.exec(text);
      if (found) resolve(new URL(found[1]));
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  // Clients may connect before the first catalogue is there.
  while ((await (await fetch(new URL('/readyz', url))).json()).status === 'starting') await setTimeout(10);
  return { url, child, stderr: () => text };
}

/** Options of a server that asks for tokens, and one that may do everything. */
export function withToken() {
  const file = join(mkdtempSync(join(process.env.HOME ?? tmpdir(), 'tokens-')), 'tokens');
  const token = execFileSync(server, ['token', 'add', 'test', '--scope', 'skills:manage', '--file', file], { encoding: 'utf8' }).trim();
  return { token, options: ['--auth', 'static', '--set', `auth.config=${JSON.stringify({ file })}`] };
}

/** The words that start mcp-remote, which takes the token from the variable TOKEN. */
function remote(url) {
  const proxy = fileURLToPath(new URL('../node_modules/mcp-remote/dist/proxy.js', import.meta.url));
  return [proxy, url.href, '--transport', 'http-only', '--allow-http', '--header', 'Authorization: Bearer ${TOKEN}'];
}

/** A connected client, which calls itself `name`, and {stderr()} of its server. `on(method, handler)` hears notifications. */
export async function connect(wanted, folder, options = [], name = 'skillhost-test') {
  const [kind, way] = wanted.split('-');
  const access = way === 'remote' ? withToken() : { options: [] };
  const served = way === undefined ? undefined : await serveHttp(folder, [...options, ...access.options]);
  const args = way === 'remote' ? remote(served.url)
    : way === 'connect' ? ['connect', served.url.href] : ['--skills-dir', folder, ...options];
  const command = way === 'remote' ? process.execPath : server;
  const parameters = { command, args, stderr: 'pipe', env: { ...process.env, TOKEN: access.token ?? '' } };
  const info = { name, version: '1.0.0' };
  const transport = way === 'http'
    ? (kind === 'sdk' ? new OldHttp(served.url) : new NewHttp(served.url))
    : (kind === 'sdk' ? new OldTransport(parameters) : new NewTransport(parameters));
  const client = kind === 'sdk'
    ? new OldClient(info)
    : new NewClient(info, {
      listMaxPages: 1000,
      versionNegotiation: { mode: kind === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    });
  let text = '';
  transport.stderr?.on('data', (chunk) => { text += chunk; });
  await client.connect(transport);
  const on = (method, handler) => client.setNotificationHandler(kind === 'sdk' ? schemas[method] : method, handler);
  return { client, on, stderr: served?.stderr ?? (() => text) };
}
