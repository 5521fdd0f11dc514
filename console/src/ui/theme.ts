// SPDX-License-Identifier: Apache-2.0
// Uses light or dark colours as the system does, or as the visitor chooses for this visit.

import { signal } from '@preact/signals';

export type Appearance = 'system' | 'light' | 'dark';
export const appearance = signal<Appearance>('system');
// Grows whenever the colours change, because a plot reads them only when it is drawn.
export const repaint = signal(0);

export function choose(next: Appearance): void {
  appearance.value = next;
  if (next === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = next;
  repaint.value += 1;
}

globalThis.matchMedia?.('(prefers-color-scheme: dark)').addEventListener('change', () => {
  repaint.value += 1;
});
