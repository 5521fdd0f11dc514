// SPDX-License-Identifier: Apache-2.0
// Holds the only client of the page, and the subscription that reports which lists have changed.

import { batch, signal } from '@preact/signals';
import { McpClient, type RequestOptions } from '../mcp/client';
import { Failure } from '../mcp/failure';
import { isObject, type Json, type JsonObject, type Notification, type ResourceContents } from '../mcp/messages';
import { Subscription, type LiveState } from '../mcp/subscription';
import { credentials, signedIn } from './session';

export const endpoint = document.querySelector<HTMLMetaElement>('meta[name="mcp-endpoint"]')?.content || '/mcp';
export const client = new McpClient(endpoint, credentials);

export const live = signal<LiveState>({ kind: 'connecting' });
export const serverName = signal<{ name: string; version: string } | undefined>(undefined);
// Counts the reported changes. A view that depends on a counter reads its data again when the counter grows.
export const revision = { tools: signal(0), prompts: signal(0), resources: signal(0) };
export const updatedAt = signal<Record<string, number>>({});
// Last text of the page's live region, which screen readers announce.
export const announcement = signal('');

// JSON resources of the server itself. Most of them are for managers only.
export const ownResources = ['stats', 'sources', 'plugins', 'findings', 'audit', 'usage', 'reviews'] as const;
export type OwnResource = (typeof ownResources)[number];

// Notifications that arrive within this time make a view read its data only once.
const settleMs = 250;
const pendingLists = new Set<keyof typeof revision>();
let settling: ReturnType<typeof setTimeout> | undefined;

let subscription: Subscription | undefined;

export function connect(): void {
  subscription?.stop();
  const wanted: JsonObject = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ownResources.map((name) => `skillhost://${name}`),
  };
  subscription = new Subscription(client, wanted, {
    state(state) {
      live.value = state;
    },
    changed,
    resumed() {
      announcement.value = 'The server answers again. Everything was read anew.';
      readAgain();
    },
  });
  subscription.start();
}

export function retryNow(): void {
  subscription?.retryNow();
}

// Any data may be different after the visitor has signed in or out.
export function startOver(): void {
  readAgain();
  void discover().catch(() => undefined);
  connect();
}

export function readAgain(): void {
  batch(() => {
    for (const one of Object.values(revision)) one.value += 1;
  });
}

function changed(notification: Notification): void {
  const list = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(notification.method)?.[1] as keyof typeof revision | undefined;
  if (list) {
    pendingLists.add(list);
    settling ??= setTimeout(settle, settleMs);
    return;
  }
  const uri = notification.params?.['uri'];
  if (notification.method === 'notifications/resources/updated' && typeof uri === 'string') updatedAt.value = { ...updatedAt.value, [uri]: (updatedAt.value[uri] ?? 0) + 1 };
}

function settle(): void {
  settling = undefined;
  batch(() => {
    for (const list of pendingLists) revision[list].value += 1;
  });
  pendingLists.clear();
  announcement.value = 'The lists of the server have changed.';
}

export async function discover(): Promise<void> {
  const result = await client.request('server/discover');
  const meta = isObject(result['_meta']) ? result['_meta'] : {};
  const info = meta['io.modelcontextprotocol/serverInfo'];
  if (isObject(info)) serverName.value = { name: String(info['name'] ?? ''), version: String(info['version'] ?? '') };
}

export async function readResource(uri: string, options: RequestOptions = {}): Promise<ResourceContents> {
  const result = await client.request('resources/read', { uri }, options);
  const contents = result['contents'];
  const first = Array.isArray(contents) ? contents[0] : undefined;
  if (!isObject(first)) throw new Failure('refused', `The answer for ${uri} has no contents.`);
  return first as unknown as ResourceContents;
}

export async function readOwn(name: OwnResource, options: RequestOptions = {}): Promise<JsonObject> {
  return readJson(`skillhost://${name}`, options);
}

export async function readJson(uri: string, options: RequestOptions = {}): Promise<JsonObject> {
  const contents = await readResource(uri, options);
  const value: unknown = JSON.parse(contents.text ?? '');
  if (Array.isArray(value)) return { items: value };
  if (!isObject(value)) throw new Failure('refused', `${uri} is not a JSON object.`);
  return value;
}

export interface ToolAnswer {
  data: JsonObject;
  notice?: string;
  meta: JsonObject;
}

// Calls a tool of the server and returns its data. Rejects with the tool's message if the tool failed.
export async function callTool(name: string, args: JsonObject, options: RequestOptions = {}): Promise<ToolAnswer> {
  const result = await client.request('tools/call', { name, arguments: args }, options);
  const envelope = result['structuredContent'];
  if (isObject(envelope) && envelope['success'] === true && isObject(envelope['data'])) {
    const metadata = isObject(envelope['metadata']) ? envelope['metadata'] : {};
    return { data: envelope['data'], meta: isObject(result['_meta']) ? result['_meta'] : {}, ...(typeof metadata['notice'] === 'string' ? { notice: metadata['notice'] } : {}) };
  }
  const error = isObject(envelope) && isObject(envelope['error']) ? envelope['error'] : undefined;
  const message = typeof error?.['message'] === 'string' ? error['message'] : firstText(result['content']);
  throw new Failure('tool', message ?? `${name} answered without data.`, typeof error?.['code'] === 'string' ? { code: error['code'] } : {});
}

function firstText(content: Json | undefined): string | undefined {
  const first = Array.isArray(content) ? content[0] : undefined;
  return isObject(first) && typeof first['text'] === 'string' ? first['text'] : undefined;
}

// Signing in or out changes what the visitor may see.
let before = signedIn.value;
signedIn.subscribe((now) => {
  // Before the first connection there is nothing to read again.
  if (now !== before && subscription !== undefined) startOver();
  before = now;
});
globalThis.addEventListener('online', retryNow);
