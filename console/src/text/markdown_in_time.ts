// SPDX-License-Identifier: Apache-2.0
// Markdown to HTML on a thread of its own, for at most a while.

import workerAddress from './markdown_worker?worker&url';

// More than this is not laid out as Markdown: the page offers the text as it is.
export const longestMarkdown = 100_000;
const longestMs = 3000;

// Where scripts have to be trusted by name (Trusted Types), this one address is.
interface Policies {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): { createScriptURL(address: string): string };
}
const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy('skillhost-worker', {
  createScriptURL(address) {
    if (address !== workerAddress) throw new TypeError(`No script is to be run from ${address}.`);
    return address;
  },
});

export function startWorker(): Worker {
  return new Worker(policy ? policy.createScriptURL(workerAddress) : workerAddress, { type: 'module' });
}

// Rejects when the parser needs longer, or when `signal` says that nobody waits any more.
export function htmlInTime(text: string, signal: AbortSignal, start: () => Worker = startWorker, mostMs = longestMs): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = start();
    const end = (): void => {
      clearTimeout(timer);
      worker.terminate();
    };
    const fail = (why: string): void => {
      end();
      reject(new Error(why));
    };
    const timer = setTimeout(() => fail(`it takes longer than ${mostMs / 1000} s`), mostMs);
    signal.addEventListener('abort', () => fail('the page has left'), { once: true });
    worker.onmessage = (event: MessageEvent<string>) => {
      end();
      resolve(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail('the parser failed');
    };
    worker.postMessage(text);
  });
}
