// SPDX-License-Identifier: Apache-2.0
// Connects any of the public clients. "sdk" is SDK 1.x; "legacy" and "modern" are client 2.x with the older and the
// newer protocol. With the suffix "-http" a client uses HTTP instead of stdio, with "-connect" stdio through `skillhost
// connect`, and with "-remote" stdio through mcp-remote to a server that requires a token.
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

/** Starts a server over HTTP on a free port. Returns its URL, its process and {stderr()}. It ends with this process. */
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
  // Clients may connect before the first catalogue is complete.
  while ((await (await fetch(new URL('/readyz', url))).json()).status === 'starting') await setTimeout(10);
  return { url, child, stderr: () => text };
}

/** Returns options of a server that requires tokens, and a token with all rights. */
export function withToken() {
  const file = join(mkdtempSync(join(process.env.HOME ?? tmpdir(), 'tokens-')), 'tokens');
  const token = execFileSync(server, ['token', 'add', 'test', '--scope', 'skills:manage', '--file', file], { encoding: 'utf8' }).trim();
  return { token, options: ['--auth', 'static', '--set', `auth.config=${JSON.stringify({ file })}`] };
}

/** Returns the command line of mcp-remote, which takes the token from the variable TOKEN. */
function remote(url) {
  const proxy = fileURLToPath(new URL('../node_modules/mcp-remote/dist/proxy.js', import.meta.url));
  return [proxy, url.href, '--transport', 'http-only', '--allow-http', '--header', 'Authorization: Bearer ${TOKEN}'];
}

/** Returns a client with that name, and {stderr()} of its server. `on(method, handler)` handles notifications. */
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
