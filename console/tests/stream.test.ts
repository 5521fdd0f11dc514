// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it, vi } from 'vitest';
import type { McpClient, RequestOptions } from '../src/mcp/client';
import { EventStreamReader } from '../src/mcp/event_stream';
import { challengeParameter, Failure } from '../src/mcp/failure';
import { Subscription, waitBefore, type LiveState } from '../src/mcp/subscription';

describe('EventStreamReader', () => {
  const text = ': keep alive\r\n\r\nid: 1\r\ndata: {"a":\r\ndata:1}\r\n\r\ndata: two\n\ndata: three\r\r';
  it.each([1, 2, 3, 7, 1000])('reads the same events in pieces of %d characters', (size) => {
    const reader = new EventStreamReader();
    const events: string[] = [];
    for (let at = 0; at < text.length; at += size) events.push(...reader.push(text.slice(at, at + size)));
    events.push(...reader.push('\n'));
    expect(events).toEqual(['{"a":\n1}', 'two', 'three']);
  });

  it('gives up on an event that does not end', () => {
    const reader = new EventStreamReader();
    const piece = 'x'.repeat(1024 * 1024);
    reader.push('data: ');
    expect(() => {
      for (let at = 0; at < 70; at += 1) reader.push(piece);
    }).toThrow(RangeError);
  });
});

describe('challengeParameter', () => {
  const challenge = 'Bearer realm="a, scope=\\"x\\"", scope="skills:read skills:manage", resource_metadata="https://h/.well-known/x"';
  it('finds a parameter and unescapes it', () => {
    expect(challengeParameter(challenge, 'scope')).toBe('skills:read skills:manage');
    expect(challengeParameter(challenge, 'resource_metadata')).toBe('https://h/.well-known/x');
    expect(challengeParameter(challenge, 'realm')).toBe('a, scope="x"');
    expect(challengeParameter(challenge, 'error')).toBeUndefined();
    expect(challengeParameter(null, 'scope')).toBeUndefined();
  });
});

describe('waitBefore', () => {
  it('doubles up to half a minute, with jitter that never makes it nothing', () => {
    expect(waitBefore(0, () => 0)).toBe(250);
    expect(waitBefore(0, () => 1)).toBe(500);
    expect(waitBefore(3, () => 1)).toBe(4000);
    expect(waitBefore(1000, () => 1)).toBe(30_000);
  });
});

describe('Subscription', () => {
  // Each request ends as listed. Then the subscription must wait before its next attempt.
  function subscriptionOf(attempts: ((options: RequestOptions) => Promise<never>)[]) {
    const states: LiveState[] = [];
    const resumed = vi.fn();
    const request = vi.fn((_method: string, _params: unknown, options: RequestOptions) => {
      const attempt = attempts.shift();
      return attempt ? attempt(options) : new Promise<never>((_resolve, reject) => options.signal?.addEventListener('abort', () => reject(new Failure('cancelled', 'gone'))));
    });
    const subscription = new Subscription({ request } as unknown as McpClient, {}, { state: (state) => states.push(state), changed: vi.fn(), resumed });
    return { subscription, states, resumed, request };
  }
  const acknowledge = (options: RequestOptions): void => options.onNotification?.({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' });

  it('opens a stream that broke off again, and says what was missed', async () => {
    vi.useFakeTimers();
    const { subscription, states, resumed, request } = subscriptionOf([
      async (options) => {
        acknowledge(options);
        throw new Failure('unreachable', 'away');
      },
      async () => {
        throw new Failure('unreachable', 'still away');
      },
      (options) => {
        acknowledge(options);
        return new Promise<never>(() => undefined);
      },
    ]);
    subscription.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(states.map((state) => state.kind)).toEqual(['connecting', 'live', 'waiting']);
    await vi.advanceTimersByTimeAsync(500);
    expect(request).toHaveBeenCalledTimes(2);
    expect(resumed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(states.at(-1)?.kind).toBe('live');
    expect(resumed).toHaveBeenCalledTimes(1);
    subscription.stop();
    vi.useRealTimers();
  });

  it('does not ask again where the server has no subscriptions, nor once it is stopped', async () => {
    vi.useFakeTimers();
    const without = subscriptionOf([async () => Promise.reject(new Failure('missing', 'no'))]);
    without.subscription.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(without.states.at(-1)?.kind).toBe('unsupported');
    expect(without.request).toHaveBeenCalledTimes(1);
    const stopped = subscriptionOf([async () => Promise.reject(new Failure('unreachable', 'no'))]);
    stopped.subscription.start();
    await vi.advanceTimersByTimeAsync(0);
    stopped.subscription.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stopped.request).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });
});
