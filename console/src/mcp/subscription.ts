// SPDX-License-Identifier: Apache-2.0
// Keeps one subscriptions/listen request open by repeating it whenever it ends, and reports whether it is open.

import type { McpClient } from './client';
import { failureOf, type Failure } from './failure';
import type { JsonObject, Notification } from './messages';

export type LiveState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  | { kind: 'waiting'; failure: Failure | undefined; retryAt: number }
  | { kind: 'signed-out' }
  | { kind: 'unsupported' };

const minWait = 500;
const maxWait = 30_000;

// Returns a random wait between half and all of a doubling time, so that many pages do not reconnect at once.
export function waitBefore(attempt: number, random: () => number = Math.random): number {
  const whole = Math.min(maxWait, minWait * 2 ** Math.min(attempt, 16));
  return Math.round(whole / 2 + (whole / 2) * random());
}

export interface SubscriptionEvents {
  state(state: LiveState): void;
  changed(notification: Notification): void;
  // The subscription is open again. Changes that happened while it was closed were not reported.
  resumed(): void;
}

export class Subscription {
  private readonly stopped = new AbortController();
  private wake: (() => void) | undefined;

  constructor(
    private readonly client: McpClient,
    private readonly wanted: JsonObject,
    private readonly events: SubscriptionEvents,
  ) {}

  start(): void {
    void this.run();
  }

  stop(): void {
    this.stopped.abort();
    this.wake?.();
  }

  retryNow(): void {
    this.wake?.();
  }

  private async run(): Promise<void> {
    let attempt = 0;
    let interrupted = false;
    while (!this.stopped.signal.aborted) {
      this.events.state({ kind: 'connecting' });
      let failure: Failure | undefined;
      try {
        await this.client.request('subscriptions/listen', { notifications: this.wanted }, {
          signal: this.stopped.signal,
          onNotification: (notification) => {
            if (notification.method !== 'notifications/subscriptions/acknowledged') return this.events.changed(notification);
            attempt = 0;
            this.events.state({ kind: 'live' });
            if (interrupted) this.events.resumed();
            interrupted = false;
          },
        });
      } catch (reason) {
        failure = failureOf(reason);
      }
      interrupted = true;
      if (this.stopped.signal.aborted) return;
      if (failure?.kind === 'missing') return this.events.state({ kind: 'unsupported' });
      if (failure?.kind === 'sign-in') {
        this.events.state({ kind: 'signed-out' });
        await this.wait(undefined);
        continue;
      }
      const pause = Math.max(waitBefore(attempt), failure?.details.retryAfterMs ?? 0);
      attempt += 1;
      this.events.state({ kind: 'waiting', failure, retryAt: Date.now() + pause });
      await this.wait(pause);
    }
  }

  private wait(pause: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = pause === undefined ? undefined : setTimeout(() => this.wake?.(), pause);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      if (this.stopped.signal.aborted) this.wake();
    });
  }
}
