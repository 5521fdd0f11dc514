// SPDX-License-Identifier: Apache-2.0
// Sends the visitor to the provider and handles the return. It uses this window if nothing would be lost, or another
// window if a view has work in it. In this window, the secrets are in the tab's storage until the answer arrives.

import { use, type Keep } from '../data/session';
import { begin, codeFrom, discover, protectedResource, redeem, register, type Pending, type ProtectedResource } from './provider';

const pendingKey = 'skillhost.sign-in';
const channelName = 'skillhost.sign-in';
const fetcher: typeof fetch = (input, init) => fetch(input, init);

export function metadata(endpoint: string, metadataUrl: string | undefined): Promise<ProtectedResource | undefined> {
  return protectedResource(endpoint, metadataUrl, fetcher);
}

export interface Choice {
  resource: ProtectedResource;
  issuer: string;
  clientId: string; // if empty, the page registers itself
  scopes: string[];
  keep: Keep;
}

// The provider knows the page by its folder. Remove the file name, because the server also serves the page as
// index.html.
const redirectAddress = (): string => `${location.origin}${location.pathname.replace(/[^/]*$/, '')}`;

// Messages between the two windows. The other window sends the answer; this one confirms that it was waiting, and
// reports the result.
type Word = { answer: string } | { taken: string } | { ended: string; problem: string };
const answeredWithin = 3_000;
const endedWithin = 60_000;
const goneAfter = 5_000;

async function prepare(choice: Choice, popup: boolean): Promise<{ pending: Pending; address: string }> {
  const provider = await discover(choice.issuer, fetcher);
  const redirect = redirectAddress();
  const clientId = choice.clientId || (await register(provider, redirect, fetcher));
  return begin(provider, { clientId, resource: choice.resource.resource, scopes: choice.scopes, redirect, page: location.hash, popup });
}

export async function signInHere(choice: Choice): Promise<void> {
  const { pending, address } = await prepare(choice, false);
  sessionStorage.setItem(pendingKey, JSON.stringify({ pending, keep: choice.keep }));
  location.assign(address);
}

// Opens the window at once, because browsers allow that only as a reaction to the visitor's click, and navigates it
// when the provider is known. The answer arrives on a channel, because this page's policy separates the two windows.
export async function signInBeside(choice: Choice, signal: AbortSignal): Promise<void> {
  const opened = open('about:blank', '_blank', 'popup,width=520,height=720');
  if (!opened) throw new Error('The browser did not open a window. Allow it for this site, or paste a token.');
  const channel = new BroadcastChannel(channelName);
  const say = (word: Word): void => channel.postMessage(word);
  let taken = '';
  try {
    const { pending, address } = await prepare(choice, true);
    if (signal.aborted) throw givenUp();
    const answered = answerTo(pending.state, channel, opened, signal);
    opened.location.replace(address);
    const answer = await answered;
    taken = pending.state;
    say({ taken });
    const tokens = await redeem(codeFrom(answer, pending), pending, fetcher);
    if (signal.aborted) throw givenUp(); // a visitor who has cancelled must not be signed in afterwards
    use(tokens, pending, choice.keep);
    say({ ended: taken, problem: '' });
  } catch (reason) {
    if (taken !== '') say({ ended: taken, problem: saidBy(reason) });
    opened.close();
    throw reason;
  } finally {
    channel.close();
  }
}

const givenUp = (): Error => new Error('The sign-in was given up.');
const saidBy = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

// Rejects if the visitor cancels, or if the visitor is back on this page for a while and the window looks closed. A
// window on another origin looks closed too, because it is separated, so the visitor's return decides.
function answerTo(state: string, channel: BroadcastChannel, opened: Window, signal: AbortSignal): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const away = (): void => clearTimeout(timer);
    const back = (): void => {
      away();
      timer = setTimeout(() => {
        if (opened.closed) fail(new Error('The window of the provider was closed, or left, without an answer. Sign in again.'));
      }, goneAfter);
    };
    const end = (): void => {
      away();
      removeEventListener('focus', back);
      removeEventListener('blur', away);
      channel.onmessage = null;
    };
    const fail = (why: Error): void => {
      end();
      reject(why);
    };
    channel.onmessage = (event: MessageEvent<Word>) => {
      const answer = new URLSearchParams('answer' in event.data ? event.data.answer : '');
      if (answer.get('state') !== state) return;
      end();
      resolve(answer);
    };
    addEventListener('focus', back);
    addEventListener('blur', away);
    signal.addEventListener('abort', () => fail(givenUp()), { once: true });
  });
}

export type Return = { kind: 'none' } | { kind: 'other-window'; problem: string } | { kind: 'signed-in' } | { kind: 'failed'; message: string };

// Sends the answer to the page that waits for it. Resolves to the problem, or to '' if the visitor is signed in. There
// may be no waiting page, because anybody can open this address.
function handOver(answer: string, state: string): Promise<string> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName);
    const end = (problem: string): void => {
      clearTimeout(timer);
      channel.close();
      resolve(problem);
    };
    let timer = setTimeout(() => end('No page of this console waits for this answer.'), answeredWithin);
    channel.onmessage = (event: MessageEvent<Word>) => {
      const word = event.data;
      if ('taken' in word && word.taken === state) {
        clearTimeout(timer);
        timer = setTimeout(() => end('The page that waited for this answer does not go on.'), endedWithin);
      }
      if ('ended' in word && word.ended === state) end(word.problem);
    };
    channel.postMessage({ answer } satisfies Word);
  });
}

// Call this before anything is shown, because the address may contain a provider's answer.
export async function comeBack(): Promise<Return> {
  const answer = new URLSearchParams(location.search);
  const state = answer.get('state');
  if (state === null || (!answer.has('code') && !answer.has('error'))) return { kind: 'none' };
  const text = answer.toString();
  history.replaceState(null, '', redirectAddress() + location.hash); // removes the code from the browser's history
  if (state.startsWith('window.')) {
    const problem = await handOver(text, state);
    if (problem === '') window.close();
    return { kind: 'other-window', problem };
  }
  const kept = sessionStorage.getItem(pendingKey);
  sessionStorage.removeItem(pendingKey);
  if (kept === null) return { kind: 'failed', message: 'No sign-in was begun in this tab.' };
  try {
    const { pending, keep } = JSON.parse(kept) as { pending: Pending; keep: Keep };
    const code = codeFrom(answer, pending);
    use(await redeem(code, pending, fetcher), pending, keep);
    history.replaceState(null, '', redirectAddress() + pending.page);
    return { kind: 'signed-in' };
  } catch (reason) {
    return { kind: 'failed', message: saidBy(reason) };
  }
}
