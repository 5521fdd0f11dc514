// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: { environment: 'jsdom', environmentOptions: { jsdom: { url: 'http://127.0.0.1/console/' } }, include: ['tests/**/*.test.{ts,tsx}'], testTimeout: 30_000, setupFiles: ['tests/browser.ts'] },
});
