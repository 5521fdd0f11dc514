// SPDX-License-Identifier: Apache-2.0
// What a browser has and the document model of the tests has not.

import { vi } from 'vitest';

globalThis.matchMedia ??= vi.fn((query: string) => ({ matches: false, media: query, addEventListener: vi.fn(), removeEventListener: vi.fn() }) as unknown as MediaQueryList);
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
// Elements of this document model have no size: those that scroll are said to be 400 pixels high.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 400 });
