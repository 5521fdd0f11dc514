// SPDX-License-Identifier: Apache-2.0
// Hooks that views share: data that is read again, the size of a window, the clock.

import { useEffect, useRef, useState } from 'preact/hooks';
import { failureOf, type Failure } from '../mcp/failure';
import { readOwn, revision, updatedAt, type OwnResource } from '../data/server';
import type { JsonObject } from '../mcp/messages';

export interface Query<T> {
  data: T | undefined;
  failure: Failure | undefined;
  loading: boolean;
  again: () => void;
}

interface QueryState<T> {
  key: string;
  data: T | undefined;
  failure: Failure | undefined;
  loading: boolean;
}

// Reads data for a key. It reads again when the revision grows, or every `every` milliseconds while the page is
// visible.
// With `onReturn` it also reads again when the visitor returns to the page.
// The previous data stays until the new answer arrives, unless the key changes.
export function useQuery<T>(key: string, load: (signal: AbortSignal) => Promise<T>, options: { revision?: number; every?: number; onReturn?: boolean } = {}): Query<T> {
  const [state, setState] = useState<QueryState<T>>({ key, data: undefined, failure: undefined, loading: true });
  const [asked, setAsked] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const { revision: version = 0, every, onReturn = false } = options;
  useEffect(() => {
    const leaving = new AbortController();
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, data: undefined, failure: undefined, loading: true }));
    latest.current(leaving.signal).then(
      (data) => {
        if (!leaving.signal.aborted) setState({ key, data, failure: undefined, loading: false });
      },
      (reason: unknown) => {
        const failure = failureOf(reason);
        if (leaving.signal.aborted || failure.kind === 'cancelled') return;
        // If the server is unreachable for a moment, the old data stays on the page.
        setState((before) => ({ key, data: failure.kind === 'unreachable' || failure.kind === 'busy' ? before.data : undefined, failure, loading: false }));
      },
    );
    return () => leaving.abort();
  }, [key, version, asked]);
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setAsked((before) => before + 1);
    }, every);
    return () => clearInterval(timer);
  }, [every]);
  useEffect(() => {
    if (!onReturn) return;
    const read = (): void => {
      if (document.visibilityState === 'visible') setAsked((before) => before + 1);
    };
    addEventListener('focus', read);
    document.addEventListener('visibilitychange', read);
    return () => {
      removeEventListener('focus', read);
      document.removeEventListener('visibilitychange', read);
    };
  }, [onReturn]);
  return { ...state, again: () => setAsked((before) => before + 1) };
}

export function useOwn(name: OwnResource, every?: number): Query<JsonObject> {
  const version = revision.resources.value + (updatedAt.value[`skillhost://${name}`] ?? 0);
  return useQuery(`skillhost://${name}`, (signal) => readOwn(name, { signal }), { revision: version, ...(every === undefined ? {} : { every }) });
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = (): void => setMatches(list.matches);
    follow();
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return matches;
}

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
