// SPDX-License-Identifier: Apache-2.0
// Converts Markdown to HTML on a worker thread, within a time limit.

import workerAddress from './markdown_worker?worker&url';

// Longer texts are not rendered as Markdown; the page offers them as plain text.
export const maxMarkdownLength = 100_000;
const defaultMaxMs = 3000;

// If the browser enforces Trusted Types, this policy allows only the worker's address.
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

// Rejects if the parser takes too long, or when `signal` is aborted.
export function htmlInTime(text: string, signal: AbortSignal, start: () => Worker = startWorker, maxMs = defaultMaxMs): Promise<string> {
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
    const timer = setTimeout(() => fail(`it takes longer than ${maxMs / 1000} s`), maxMs);
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
