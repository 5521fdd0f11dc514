// SPDX-License-Identifier: Apache-2.0
// Describes why a request has no result. The kind decides what a page says and whether it tries again.

import { isObject, type Json } from './messages';

export type FailureKind =
  | 'unreachable' // the server or the network did not answer
  | 'sign-in' // 401: the token is missing, or the server does not accept it
  | 'forbidden' // the token lacks a scope
  | 'missing' // no such method, tool, prompt or resource for this visitor
  | 'busy' // 429 or 503: the server accepts the request later
  | 'refused' // any other protocol error
  | 'tool' // the tool ran and reported an error
  | 'cancelled'; // the visitor has left the view

export class Failure extends Error {
  override name = 'Failure';
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly details: { code?: number | string; status?: number; data?: Json; scope?: string; retryAfterMs?: number } = {},
  ) {
    super(message);
  }
}

export function failureOf(reason: unknown): Failure {
  if (reason instanceof Failure) return reason;
  if (reason instanceof DOMException && reason.name === 'AbortError') return new Failure('cancelled', 'Cancelled.');
  if (reason instanceof Error) return new Failure('refused', reason.message);
  return new Failure('refused', String(reason));
}

const noSuchMethod = -32601;
const invalidParams = -32602;
const scopeMissing = -31007;

export function failureOfError(error: { code: number; message: string; data?: Json }, status: number): Failure {
  const data = error.data;
  const scope = isObject(data) && typeof data['scope'] === 'string' ? { scope: data['scope'] } : {};
  const details = { code: error.code, status, data, ...scope };
  if (status === 403 || error.code === scopeMissing) return new Failure('forbidden', error.message, details);
  if (error.code === noSuchMethod) return new Failure('missing', error.message, details);
  // The protocol has no error code for missing objects. Servers answer -32602 with the URI, or name an unknown tool or
  // prompt in the message.
  const unknown = error.code === invalidParams && ((isObject(data) && 'uri' in data) || /not found|unknown (tool|prompt)/i.test(error.message));
  if (unknown) return new Failure('missing', error.message, details);
  if (status === 429 || status === 503) return new Failure('busy', error.message, details);
  return new Failure('refused', error.message, details);
}

// Returns a parameter of a WWW-Authenticate challenge (RFC 9110, 11.6.1), such as scope or resource_metadata.
export function challengeParameter(challenge: string | null, name: string): string | undefined {
  if (!challenge) return undefined;
  const found = new RegExp(`(?:^|[\\s,])${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(challenge);
  return found?.[1]?.replace(/\\(.)/g, '$1');
}
