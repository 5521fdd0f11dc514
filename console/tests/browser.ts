// SPDX-License-Identifier: Apache-2.0
// Adds what a browser has and the document model of the tests lacks.

import { vi } from 'vitest';

globalThis.matchMedia ??= vi.fn((query: string) => ({ matches: false, media: query, addEventListener: vi.fn(), removeEventListener: vi.fn() }) as unknown as MediaQueryList);
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
// Elements of this document model have no size, so elements that scroll report a height of 400 pixels.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 400 });
