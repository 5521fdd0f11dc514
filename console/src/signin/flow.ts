// SPDX-License-Identifier: Apache-2.0
// Leaves for the provider and comes back: in this window when nothing would be lost, in another one when a view has
// work in it. The way through this window keeps its secrets in the tab's storage until the answer is here, no longer.

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
  clientId: string; // empty: the page registers itself
  scopes: string[];
  keep: Keep;
}

// The folder of the page, which is what a provider knows: the page is served as its index.html, too.
const redirectAddress = (): string => `${location.origin}${location.pathname.replace(/[^/]*$/, '')}`;

// Between the two windows. The other one says its answer; this one that it has waited for it, and how it ended.
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

// The window is opened at once, while the browser knows that the visitor asked for it, and led on when the provider is
// known. Its answer comes over a channel, because this page's policy cuts the tie between the two windows.
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
    if (signal.aborted) throw givenUp(); // whoever has gone on is not signed in afterwards
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

// Rejects when the visitor gives up, and when the visitor is back on this page for a while and the window is closed. A
// window on another origin counts as closed as well, for its tie is cut: the visitor's staying here decides.
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

// Hands the answer to the page that waits for it. Resolves to what is wrong, and to nothing when the visitor is signed
// in: nobody need have asked for this answer.
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

// To be called before anything is shown: the address may be the answer of a provider.
export async function comeBack(): Promise<Return> {
  const answer = new URLSearchParams(location.search);
  const state = answer.get('state');
  if (state === null || (!answer.has('code') && !answer.has('error'))) return { kind: 'none' };
  const text = answer.toString();
  history.replaceState(null, '', redirectAddress() + location.hash); // a code does not stay in the history
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
