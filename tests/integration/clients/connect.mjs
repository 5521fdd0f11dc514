// SPDX-License-Identifier: Apache-2.0
// The public clients behind one door: "sdk" is SDK 1.x; "legacy" and "modern" are client 2.x in either era; each
// with "-http" behind it over HTTP instead of stdio, with "-connect" over stdio by way of `skillhost connect`.
import { spawn } from 'node:child_process';
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
  return { url, child, stderr: () => text };
}

/** A connected client, and {stderr()} of its server. `on(method, handler)` hears notifications. */
export async function connect(wanted, folder, options = []) {
  const [kind, way] = wanted.split('-');
  const served = way === undefined ? undefined : await serveHttp(folder, options);
  const args = way === 'connect' ? ['connect', served.url.href] : ['--skills-dir', folder, ...options];
  const parameters = { command: server, args, stderr: 'pipe', env: { ...process.env } };
  const info = { name: 'skillhost-test', version: '1.0.0' };
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
