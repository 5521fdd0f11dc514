// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { changedFiles, contentOf, versionsOf } from '../src/data/versions';

test('versions are told with what the source says best of their origin', () => {
  const found = versionsOf({
    enabled: true,
    versions: [
      { version: 7, since: '2026-07-28T09:30:00Z', digest: 'blake3:ab', size: 12, files: 2, has_text: true, facts: { version: '1.2', commit: 'c0ffee' } },
      { version: 3, since: '2026-07-01T00:00:00Z', until: '2026-07-28T09:30:00Z', digest: 'blake3:cd', size: 10, files: 1, has_text: false },
    ],
  });
  expect(found.enabled && !found.withheld).toBe(true);
  expect(found.all.map((one) => [one.number, one.origin, one.hasText, one.until?.toISOString()])).toEqual([
    [7, 'c0ffee', true, undefined],
    [3, '', false, '2026-07-28T09:30:00.000Z'],
  ]);
});

test('what is switched off, or withheld, has no versions', () => {
  expect(versionsOf({ enabled: false })).toEqual({ enabled: false, withheld: false, all: [] });
  expect(versionsOf({ enabled: true, withheld: true })).toEqual({ enabled: true, withheld: true, all: [] });
});

test('a text that is not kept is no empty text', () => {
  expect(contentOf({ version: 1 }).text).toBeUndefined();
  expect(contentOf({ version: 1, text: '' }).text).toBe('');
});

test('files beside SKILL.md that differ are named by path', () => {
  const file = (path: string, mark: string, size: number | undefined = 5) => ({ path, mark, size });
  expect(changedFiles([file('SKILL.md', 'a'), file('b', '1'), file('same', '1'), file('sized', '1', 5)], [file('SKILL.md', 'z'), file('a', '1'), file('same', '1'), file('sized', '1', 6)])).toEqual([
    { path: 'a', change: 'new' },
    { path: 'b', change: 'gone' },
    { path: 'sized', change: 'changed' },
  ]);
});
