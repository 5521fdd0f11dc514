// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it, vi } from 'vitest';
import { headerValue, McpClient, type Credentials, type Exchange } from '../src/mcp/client';
import { Failure } from '../src/mcp/failure';
import type { JsonObject, Notification } from '../src/mcp/messages';

interface Sent {
  headers: Record<string, string>;
  body: JsonObject;
}

// Answers each request with the next of these responses.
function serverOf(...answers: (Response | (() => Response | Promise<Response>))[]): { fetcher: typeof fetch; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetcher = (async (_place: unknown, init?: RequestInit) => {
    sent.push({ headers: init?.headers as Record<string, string>, body: JSON.parse(String(init?.body)) as JsonObject });
    const answer = answers.shift();
    if (!answer) throw new TypeError('nothing listens there');
    return typeof answer === 'function' ? answer() : answer;
  }) as typeof fetch;
  return { fetcher, sent };
}

function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

function stream(...messages: unknown[]): Response {
  const bytes = new TextEncoder().encode(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Sends one byte at a time, so that every boundary is tested.
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

const nobody: Credentials = { token: () => undefined, renew: () => Promise.reject(new Failure('sign-in', 'no')) };
const result = (value: JsonObject): JsonObject => ({ jsonrpc: '2.0', id: 1, result: value });

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  return promise.then(
    () => {
      throw new Error('It was expected to fail.');
    },
    (reason: unknown) => reason as Failure,
  );
}

describe('McpClient', () => {
  it('says the revision, the method and the name, in the body and in the header fields', async () => {
    const { fetcher, sent } = serverOf(json(result({ ok: true })));
    await new McpClient('/mcp', nobody, fetcher).request('tools/call', { name: 'größe', arguments: {} });
    const { headers, body } = sent[0] as Sent;
    expect(headers['MCP-Protocol-Version']).toBe('2026-07-28');
    expect(headers['Mcp-Method']).toBe('tools/call');
    expect(headers['Mcp-Name']).toBe('=?base64?Z3LDtsOfZQ==?=');
    expect(headers['Authorization']).toBeUndefined();
    const meta = (body['params'] as JsonObject)['_meta'] as JsonObject;
    expect(meta['io.modelcontextprotocol/protocolVersion']).toBe('2026-07-28');
    expect(meta['io.modelcontextprotocol/clientCapabilities']).toEqual({});
  });

  it('reads an answer that comes as a stream, and tells the notifications before it', async () => {
    const { fetcher } = serverOf(stream({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }, result({ text: 'größer 🙂' })));
    const told: Notification[] = [];
    const exchanges: Exchange[] = [];
    const answer = await new McpClient('/mcp', nobody, fetcher).request('tools/call', { name: 'a' }, { onNotification: (one) => told.push(one), onExchange: (one) => exchanges.push(one) });
    expect(answer).toEqual({ text: 'größer 🙂' });
    expect(told.map((one) => one.method)).toEqual(['notifications/progress']);
    expect(exchanges[0]?.messages).toHaveLength(2);
  });

  it('asks for another token when one is refused, and sends the request again with it', async () => {
    let token = 'old';
    const renew = vi.fn(async () => {
      token = 'new';
    });
    const { fetcher, sent } = serverOf(json({ jsonrpc: '2.0', id: null, error: { code: -31010, message: 'expired' } }, 401, { 'WWW-Authenticate': 'Bearer error="invalid_token", scope="skills:read"' }), json(result({ fine: 1 })));
    const client = new McpClient('/mcp', { token: () => token, renew }, fetcher);
    expect(await client.request('tools/list')).toEqual({ fine: 1 });
    expect(renew).toHaveBeenCalledWith('old', 'Bearer error="invalid_token", scope="skills:read"');
    expect(sent.map((one) => one.headers['Authorization'])).toEqual(['Bearer old', 'Bearer new']);
  });

  it('fails with "sign-in" when the visitor declines', async () => {
    const { fetcher } = serverOf(json({}, 401));
    expect((await failureOf(new McpClient('/mcp', nobody, fetcher).request('tools/list'))).kind).toBe('sign-in');
  });

  it.each([
    ['a scope is missing', json({ jsonrpc: '2.0', id: 1, error: { code: -31007, message: 'no' } }, 403, { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="skills:manage"' }), 'forbidden'],
    ['the method is unknown', json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } }, 404), 'missing'],
    ['the resource is unknown', json({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no', data: { uri: 'x:y' } } }), 'missing'],
    ['the arguments are wrong', json({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'params.name: must be text' } }), 'refused'],
    ['the server is full', json({ jsonrpc: '2.0', id: 1, error: { code: -31001, message: 'later' } }, 503, { 'Retry-After': '2' }), 'busy'],
    ['a proxy answers', new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } }), 'unreachable'],
    ['the answer is no JSON', new Response('{"jsonrpc"', { headers: { 'Content-Type': 'application/json' } }), 'refused'],
    ['the stream ends early', stream({ jsonrpc: '2.0', method: 'notifications/progress' }), 'unreachable'],
  ])('tells when %s', async (_what, answer, kind) => {
    const { fetcher } = serverOf(answer);
    const failure = await failureOf(new McpClient('/mcp', nobody, fetcher).request('resources/read', { uri: 'x:y' }));
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.kind).toBe(kind);
    if (kind === 'forbidden') expect(failure.details.scope).toBe('skills:manage');
    if (kind === 'busy') expect(failure.details.retryAfterMs).toBe(2000);
  });

  it('tells when nothing listens', async () => {
    const { fetcher } = serverOf();
    expect((await failureOf(new McpClient('/mcp', nobody, fetcher).request('tools/list'))).kind).toBe('unreachable');
  });

  it('wishes for larger pages after the first one', async () => {
    const { fetcher, sent } = serverOf(json(result({ tools: [1], nextCursor: 'b', _meta: { a: 1 } })), json(result({ tools: [2, 3] })));
    const read: unknown[] = [];
    const client = new McpClient('/mcp', nobody, fetcher);
    for await (const page of client.pages('tools/list', 'tools', {}, {}, { _meta: { 'org.skillhost/pageSize': 2000 } })) read.push(page);
    expect(read).toEqual([
      { items: [1], meta: { a: 1 } },
      { items: [2, 3], meta: {} },
    ]);
    const wishes = sent.map(({ body }) => ((body['params'] as JsonObject)['_meta'] as JsonObject)['org.skillhost/pageSize']);
    expect(wishes).toEqual([undefined, 2000]);
    expect((sent[1]?.body['params'] as JsonObject)['_meta']).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
  });

  it('reads every page of a list, and no page twice', async () => {
    const { fetcher, sent } = serverOf(json(result({ tools: [1, 2], nextCursor: 'b' })), json(result({ tools: [3] })));
    expect(await new McpClient('/mcp', nobody, fetcher).all('tools/list', 'tools')).toEqual([1, 2, 3]);
    expect((sent[1]?.body['params'] as JsonObject)['cursor']).toBe('b');
    const endless = serverOf(...[1, 2, 3].map(() => json(result({ tools: [], nextCursor: 'same' }))));
    expect((await failureOf(new McpClient('/mcp', nobody, endless.fetcher).all('tools/list', 'tools'))).message).toContain('same cursor');
  });
});

describe('headerValue', () => {
  it.each([
    ['skill://a/b/SKILL.md', 'skill://a/b/SKILL.md'],
    [' a', '=?base64?IGE=?='],
    ['a\nb', '=?base64?YQpi?='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ])('writes %j as %j', (value, written) => {
    expect(headerValue(value)).toBe(written);
  });
});
