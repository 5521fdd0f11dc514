// SPDX-License-Identifier: Apache-2.0
// Knows which tools the server offers this visitor. Views that need a tool appear only with it.

import { effect, signal } from '@preact/signals';
import { failureOf } from '../mcp/failure';
import type { Tool } from '../mcp/messages';
import { client, revision } from './server';

// Is empty until the server has answered.
export const toolNames = signal<ReadonlySet<string>>(new Set());

// Reads the names now, and again whenever the tools change or the visitor signs in or out. Returns what ends that.
export function followTools(): () => void {
  let reading: AbortController | undefined;
  const end = effect(() => {
    void revision.tools.value;
    reading?.abort();
    const mine = (reading = new AbortController());
    client.all<Tool>('tools/list', 'tools', { signal: mine.signal }).then(
      (tools) => {
        if (!mine.signal.aborted) toolNames.value = new Set(tools.map((tool) => tool.name));
      },
      (reason: unknown) => {
        // While the server is away for a moment, the views stay. Each view reports its own failures.
        const { kind } = failureOf(reason);
        if (!mine.signal.aborted && kind !== 'unreachable' && kind !== 'busy') toolNames.value = new Set();
      },
    );
  });
  return () => {
    reading?.abort();
    end();
  };
}
