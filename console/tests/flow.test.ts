// SPDX-License-Identifier: Apache-2.0
// Signing in with another window: the messages to each window, and when the waiting ends.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { credentials, signOut } from '../src/data/session';
import { comeBack, signInBeside, type Choice } from '../src/signin/flow';

const issuer = 'https://id.example';
const choice: Choice = { resource: { resource: 'https://skills.example/mcp', servers: [issuer], scopes: ['skills:read'] }, issuer, clientId: 'page', scopes: ['skills:read'], keep: 'memory' };

// This window plays both windows. A channel delivers a message to all other channels, never to itself.
class Channel {
  static open = new Set<Channel>();
  onmessage: ((event: MessageEvent) => void) | null = null;
  constructor() {
    Channel.open.add(this);
  }
  postMessage(data: unknown): void {
    for (const other of Channel.open) if (other !== this) queueMicrotask(() => other.onmessage?.(new MessageEvent('message', { data })));
  }
  close(): void {
    Channel.open.delete(this);
  }
}

let provider: { closed: boolean; close: () => void; location: { replace: (address: string) => void } };
let led: Promise<URL>; // the address that the window was sent to

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  led = new Promise((resolve) => {
    provider = { closed: false, close: vi.fn(), location: { replace: (address) => resolve(new URL(address)) } };
  });
  vi.stubGlobal('open', () => provider);
  vi.stubGlobal('close', vi.fn());
  vi.stubGlobal('fetch', async (address: string) => {
    const answer = address.includes('/token') ? { access_token: 'new' } : { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`, code_challenge_methods_supported: ['S256'] };
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
  });
  signOut();
});
afterEach(() => {
  expect(Channel.open.size).toBe(0);
  Channel.open.clear();
  history.replaceState(null, '', '/console/');
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const answered = (query: Record<string, string>): Promise<unknown> => {
  history.replaceState(null, '', `/console/?${new URLSearchParams(query)}`);
  return comeBack();
};

describe('a sign-in beside the page', () => {
  it('is told to both windows', async () => {
    const done = signInBeside(choice, new AbortController().signal);
    const address = await led;
    expect(address.searchParams.get('scope')).toBe('skills:read');
    expect(await answered({ state: address.searchParams.get('state') ?? '', code: 'c' })).toEqual({ kind: 'other-window', problem: '' });
    await done;
    expect(credentials.token()).toBe('new');
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('says in both windows that the provider has refused', async () => {
    const done = signInBeside(choice, new AbortController().signal);
    const refused = expect(done).rejects.toThrow('The provider refused: access_denied');
    const state = (await led).searchParams.get('state') ?? '';
    expect(await answered({ state, error: 'access_denied' })).toEqual({ kind: 'other-window', problem: 'The provider refused: access_denied' });
    await refused;
    expect(credentials.token()).toBeUndefined();
    expect(close).not.toHaveBeenCalled();
  });

  it('is none where nobody has asked for it', async () => {
    const told = answered({ state: 'window.invented', code: 'c' });
    await vi.advanceTimersByTimeAsync(3000);
    expect(await told).toEqual({ kind: 'other-window', problem: 'No page of this console waits for this answer.' });
    expect(close).not.toHaveBeenCalled();
  });

  it('ends when the window is closed and the visitor is back', async () => {
    const done = signInBeside(choice, new AbortController().signal);
    const ended = expect(done).rejects.toThrow('closed, or left');
    await led;
    provider.closed = true;
    dispatchEvent(new Event('focus'));
    await vi.advanceTimersByTimeAsync(5000);
    await ended;
  });

  it('goes on when the visitor goes back to the window', async () => {
    const leaving = new AbortController();
    const done = signInBeside(choice, leaving.signal);
    const ended = vi.fn();
    done.catch(ended);
    await led;
    provider.closed = true; // a separated window looks closed
    dispatchEvent(new Event('focus'));
    await vi.advanceTimersByTimeAsync(1000);
    dispatchEvent(new Event('blur'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).not.toHaveBeenCalled();
    leaving.abort();
    await expect(done).rejects.toThrow('given up');
  });

  it('signs nobody in who has given up', async () => {
    const leaving = new AbortController();
    const done = signInBeside(choice, leaving.signal);
    const ended = expect(done).rejects.toThrow('given up');
    const state = (await led).searchParams.get('state') ?? '';
    leaving.abort();
    await ended;
    expect(provider.close).toHaveBeenCalled();
    const late = answered({ state, code: 'c' });
    await vi.advanceTimersByTimeAsync(3000);
    expect(await late).toMatchObject({ problem: 'No page of this console waits for this answer.' });
    expect(credentials.token()).toBeUndefined();
  });
});

it('is known to the provider by the folder of the page, whatever its name', async () => {
  history.replaceState(null, '', '/skills/console/index.html');
  const leaving = new AbortController();
  const done = signInBeside(choice, leaving.signal);
  expect((await led).searchParams.get('redirect_uri')).toBe(`${location.origin}/skills/console/`);
  leaving.abort();
  await expect(done).rejects.toThrow();
});
