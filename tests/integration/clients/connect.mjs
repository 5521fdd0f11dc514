// SPDX-License-Identifier: Apache-2.0
// The public clients behind one door: "sdk" is SDK 1.x; "legacy" and "modern" are client 2.x in either era.
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
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

/** A connected client, and {stderr()} of its server. `on(method, handler)` hears notifications. */
export async function connect(kind, folder, options = []) {
  const parameters = { command: server, args: ['--skills-dir', folder, ...options], stderr: 'pipe', env: { ...process.env } };
  const info = { name: 'skillhost-test', version: '1.0.0' };
  const transport = kind === 'sdk' ? new OldTransport(parameters) : new NewTransport(parameters);
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
  return { client, on, stderr: () => text };
}
