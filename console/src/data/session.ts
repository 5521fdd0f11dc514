// SPDX-License-Identifier: Apache-2.0
// Keeps the visitor's token in memory, and in the browser's storage only if the visitor has ticked that. A request that
// needs a new token waits here until the visitor has signed in, so that a page keeps its state when a token expires.

import { signal } from '@preact/signals';
import type { Credentials } from '../mcp/client';
import { Failure } from '../mcp/failure';
import { refresh, type Pending, type Tokens } from '../signin/provider';

export type Keep = 'memory' | 'tab' | 'browser';

const storageKey = 'skillhost.token';

export const signedIn = signal(false);
// If defined, the page shows the sign-in with what the server said.
export const signInWanted = signal<{ reason: string; challenge: string | null } | undefined>(undefined);

let tokens: Tokens | undefined;
let origin: Pending | undefined;
let declined = false;
let keptIn: Keep = 'memory';
let waiting: { resolve: () => void; reject: (reason: Failure) => void }[] = [];
let refreshing: { token: string; done: Promise<boolean> } | undefined;

export const credentials: Credentials = {
  token: () => tokens?.access,
  async renew(refused, challenge) {
    if (tokens?.access !== refused) return; // the visitor has signed in with another token meanwhile
    if (await refreshed()) return;
    if (tokens?.access !== refused) return; // … or has done so while the provider was asked
    if (declined) throw new Failure('sign-in', 'You are not signed in.');
    const reason = refused === undefined ? 'This server asks who you are.' : 'The server no longer accepts your token. Sign in again; this page keeps its state.';
    signInWanted.value = { reason, challenge };
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  },
};

// The new tokens are used only if the visitor still has the token that was refreshed. If the visitor has signed out or
// signed in again meanwhile, they are dropped.
function refreshed(): Promise<boolean> {
  const token = tokens?.refresh;
  if (token === undefined || origin === undefined) return Promise.resolve(false);
  if (refreshing?.token === token) return refreshing.done;
  const pending = origin;
  const isCurrent = (): boolean => tokens?.refresh === token;
  const done = refresh(token, pending, fetch.bind(globalThis))
    .then((fresh) => {
      if (!isCurrent()) return false;
      use(fresh, pending, keptIn);
      return true;
    })
    .catch(() => {
      if (tokens && isCurrent()) delete tokens.refresh; // the provider is not asked again with it
      return false;
    })
    .finally(() => {
      if (refreshing?.done === done) refreshing = undefined;
    });
  refreshing = { token, done };
  return done;
}

export function use(fresh: Tokens, from: Pending | undefined, keep: Keep): void {
  tokens = { ...fresh };
  origin = from;
  declined = false;
  keptIn = keep;
  forget();
  if (keep !== 'memory') storageOf(keep)?.setItem(storageKey, fresh.access);
  signedIn.value = true;
  signInWanted.value = undefined;
  const served = waiting;
  waiting = [];
  for (const one of served) one.resolve();
}

export function decline(): void {
  declined = true;
  signInWanted.value = undefined;
  const refused = waiting;
  waiting = [];
  for (const one of refused) one.reject(new Failure('sign-in', 'You are not signed in.'));
}

export function askToSignIn(): void {
  declined = false;
  signInWanted.value = { reason: 'Sign in to see what your token may see.', challenge: null };
}

export function signOut(): void {
  tokens = undefined;
  origin = undefined;
  keptIn = 'memory';
  forget();
  signedIn.value = false;
}

// Restores the token that an earlier visit was allowed to keep.
export function recall(): void {
  for (const keep of ['tab', 'browser'] as const) {
    const token = storageOf(keep)?.getItem(storageKey);
    if (!token) continue;
    tokens = { access: token };
    keptIn = keep;
    signedIn.value = true;
    return;
  }
}

function forget(): void {
  for (const keep of ['tab', 'browser'] as const) storageOf(keep)?.removeItem(storageKey);
}

// Returns undefined if the browser refuses storage. The token is then kept in memory only.
function storageOf(keep: Keep): Storage | undefined {
  try {
    return keep === 'tab' ? sessionStorage : keep === 'browser' ? localStorage : undefined;
  } catch {
    return undefined;
  }
}
