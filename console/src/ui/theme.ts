// SPDX-License-Identifier: Apache-2.0
// Light or dark as the system says, or as the visitor chooses for this visit.

import { signal } from '@preact/signals';

export type Appearance = 'system' | 'light' | 'dark';
export const appearance = signal<Appearance>('system');
// Grows with each change of colours: a plot reads them when it is drawn.
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
