// SPDX-License-Identifier: Apache-2.0
// An MCP client over POST for revision 2026-07-28. There is no session and no handshake; every request is independent.

import { eventsOf } from './event_stream';
import { challengeParameter, Failure, failureOf, failureOfError } from './failure';
import { isNotification, isObject, protocolVersion, type Json, type JsonObject, type Message, type Notification, type Response as Answer } from './messages';

// Provides the visitor's token. The client asks for it before each request, and asks for a new one when the server
// refuses it.
export interface Credentials {
  token(): string | undefined;
  // Resolves when there is another token, or rejects with a Failure of kind 'sign-in' when the visitor declines.
  renew(refused: string | undefined, challenge: string | null): Promise<void>;
}

// The messages of one request, for the page that shows them.
export interface Exchange {
  request: JsonObject;
  status: number;
  messages: Message[];
  durationMs: number;
}

export interface RequestOptions {
  signal?: AbortSignal;
  onNotification?: (notification: Notification) => void;
  onExchange?: (exchange: Exchange) => void;
}

export interface Page<T> {
  items: T[];
  meta: JsonObject;
}

export const clientInfo = { name: 'skillhost-console', title: 'skillhost console', version: '0.1.0' };

export class McpClient {
  private nextId = 1;

  constructor(
    private readonly endpoint: string,
    private readonly credentials: Credentials,
    private readonly fetcher: typeof fetch = (input, init) => fetch(input, init),
  ) {}

  // Returns the result of one request. Rejects with a Failure.
  async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<JsonObject> {
    for (;;) {
      const token = this.credentials.token();
      try {
        return await this.attempt(method, params, token, options);
      } catch (reason) {
        const failure = failureOf(reason);
        if (failure.kind !== 'sign-in' || options.signal?.aborted) throw failure;
        const challenge = typeof failure.details.data === 'string' ? failure.details.data : null;
        await this.credentials.renew(token, challenge);
      }
    }
  }

  private async attempt(method: string, params: JsonObject, token: string | undefined, options: RequestOptions): Promise<JsonObject> {
    const body: JsonObject = { jsonrpc: '2.0', id: this.nextId++, method, params: withMeta(params) };
    const started = performance.now();
    const messages: Message[] = [];
    const response = await this.post(method, params, body, token, options.signal);
    try {
      const answer = await finalAnswer(response, messages, options.onNotification);
      if (response.status === 401) throw signInNeeded(response);
      if (answer?.error) throw withHeaders(failureOfError(answer.error, response.status), response);
      if (!answer?.result) throw unexpected(response);
      return answer.result;
    } catch (reason) {
      throw options.signal?.aborted ? new Failure('cancelled', 'Cancelled.') : interrupted(reason);
    } finally {
      options.onExchange?.({ request: body, status: response.status, messages, durationMs: performance.now() - started });
    }
  }

  private async post(method: string, params: JsonObject, body: JsonObject, token: string | undefined, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': protocolVersion,
      'Mcp-Method': headerValue(method),
    };
    const name = nameOf(method, params);
    if (name !== undefined) headers['Mcp-Name'] = headerValue(name);
    if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
    const init: RequestInit = { method: 'POST', headers, body: JSON.stringify(body), credentials: 'omit', cache: 'no-store', redirect: 'error', signal: signal ?? null };
    try {
      return await this.fetcher(this.endpoint, init);
    } catch {
      if (signal?.aborted) throw new Failure('cancelled', 'Cancelled.');
      throw new Failure('unreachable', 'The server does not answer.');
    }
  }

  // Yields every item of a list, page by page. The request for the first page has only `params`, so that it is answered
  // soon; the requests for later pages add `further`.
  async *pages<T>(method: string, member: string, params: JsonObject = {}, options: RequestOptions = {}, further: JsonObject = {}): AsyncGenerator<Page<T>> {
    let cursor: Json | undefined;
    do {
      const result = await this.request(method, cursor === undefined ? params : { ...params, ...further, cursor }, options);
      const items = result[member];
      if (!Array.isArray(items)) throw new Failure('refused', `The answer to ${method} has no list "${member}".`);
      yield { items: items as unknown as T[], meta: isObject(result['_meta']) ? result['_meta'] : {} };
      const next = result['nextCursor'];
      if (next !== undefined && next === cursor) throw new Failure('refused', `${method} answers with the same cursor again.`);
      cursor = next;
    } while (cursor !== undefined && cursor !== null);
  }

  async all<T>(method: string, member: string, options: RequestOptions = {}): Promise<T[]> {
    const items: T[] = [];
    for await (const page of this.pages<T>(method, member, {}, options)) items.push(...page.items);
    return items;
  }
}

function withMeta(params: JsonObject): JsonObject {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': protocolVersion,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': clientInfo,
      ...meta,
    },
  };
}

function nameOf(method: string, params: JsonObject): string | undefined {
  const name = method === 'resources/read' ? params['uri'] : method === 'tools/call' || method === 'prompts/get' ? params['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

// A header field may contain only visible ASCII. Other values are sent as base64 of UTF-8, in the form that MCP
// defines.
export function headerValue(value: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  if (plain) return value;
  let bytes = '';
  for (const byte of new TextEncoder().encode(value)) bytes += String.fromCharCode(byte);
  return `=?base64?${btoa(bytes)}?=`;
}

// Reads the answer, which is either one JSON message or a stream of events that ends with the answer.
async function finalAnswer(response: Response, messages: Message[], onNotification?: (notification: Notification) => void): Promise<Answer | undefined> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('text/event-stream') && response.body) {
    for await (const event of eventsOf(response.body)) {
      const message = JSON.parse(event) as Message;
      messages.push(message);
      if (!isNotification(message)) return message;
      onNotification?.(message);
    }
    throw new Failure('unreachable', 'The server has ended the stream without an answer.');
  }
  const text = await response.text();
  if (!type.startsWith('application/json') || text === '') return undefined;
  const answer = JSON.parse(text) as Answer;
  messages.push(answer);
  return answer;
}

function signInNeeded(response: Response): Failure {
  const challenge = response.headers.get('WWW-Authenticate');
  const said = challengeParameter(challenge, 'error_description');
  return new Failure('sign-in', said ?? 'The server asks for a token.', { status: 401, data: challenge });
}

function withHeaders(failure: Failure, response: Response): Failure {
  const scope = challengeParameter(response.headers.get('WWW-Authenticate'), 'scope');
  if (scope !== undefined) failure.details.scope = scope;
  const seconds = Number(response.headers.get('Retry-After'));
  if (Number.isFinite(seconds) && seconds > 0) failure.details.retryAfterMs = seconds * 1000;
  return failure;
}

function unexpected(response: Response): Failure {
  const kind = response.status === 403 ? 'forbidden' : response.status === 429 || response.status === 503 ? 'busy' : response.status >= 500 ? 'unreachable' : 'refused';
  return withHeaders(new Failure(kind, `The server answered with HTTP ${response.status} and no MCP message.`, { status: response.status }), response);
}

// Explains why an answer could not be read: the connection broke off, or the body is not JSON.
function interrupted(reason: unknown): Failure {
  if (reason instanceof Failure) return reason;
  if (reason instanceof SyntaxError) return new Failure('refused', 'The server answered with something that is not JSON.');
  if (reason instanceof TypeError) return new Failure('unreachable', 'The connection broke off before the answer was whole.');
  return failureOf(reason);
}
