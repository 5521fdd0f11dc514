// SPDX-License-Identifier: Apache-2.0
// A token is refreshed while its visitor signs out, or signs in with another token.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { credentials, signedIn, signOut, use } from '../src/data/session';
import type { Pending } from '../src/signin/provider';

const pending: Pending = {
  state: 's', nonce: 'n', verifier: 'v', clientId: 'c', resource: 'r', redirect: 'x', page: '',
  provider: { issuer: 'https://id.example', authorize: 'https://id.example/a', token: 'https://id.example/t', namesIssuer: false, openId: false },
};
const fresh = (): Response => new Response(JSON.stringify({ access_token: 'fresh', refresh_token: 'r2' }), { headers: { 'Content-Type': 'application/json' } });
let answer: (response: Response) => void;
let asked: Promise<void>;

beforeEach(() => {
  asked = new Promise((isAsked) => {
    vi.stubGlobal('fetch', () => {
      isAsked();
      return new Promise<Response>((resolve) => (answer = resolve));
    });
  });
  use({ access: 'old', refresh: 'r1' }, pending, 'browser');
});
afterEach(() => {
  signOut();
  vi.unstubAllGlobals();
});

it('refreshes a token that was refused', async () => {
  const renewed = credentials.renew('old', null);
  await asked;
  answer(fresh());
  await renewed;
  expect(credentials.token()).toBe('fresh');
  expect(localStorage.getItem('skillhost.token')).toBe('fresh');
});

it('signs nobody in again who has signed out meanwhile', async () => {
  const renewed = credentials.renew('old', null);
  await asked;
  signOut();
  answer(fresh());
  await renewed;
  expect([signedIn.value, credentials.token(), localStorage.getItem('skillhost.token')]).toEqual([false, undefined, null]);
});

it('leaves a token that came meanwhile, and its own refreshing, alone', async () => {
  const renewed = credentials.renew('old', null);
  await asked;
  use({ access: 'pasted' }, undefined, 'memory');
  answer(fresh());
  await renewed;
  expect([credentials.token(), localStorage.getItem('skillhost.token')]).toEqual(['pasted', null]);
});

it('leaves the next token its own way to be refreshed when the provider refuses the older one', async () => {
  const renewed = credentials.renew('old', null);
  await asked;
  use({ access: 'other', refresh: 'r9' }, pending, 'memory');
  answer(new Response('{"error":"invalid_grant"}', { status: 400 }));
  await renewed;
  const next = credentials.renew('other', null);
  answer(fresh());
  await next;
  expect(credentials.token()).toBe('fresh');
});
