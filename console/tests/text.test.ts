// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { difference, hunks, parseUnified, type Line } from '../src/text/difference';
import { ago, bytes, duration, milliseconds, timeOf } from '../src/text/format';
import { countHidden, cut, oneLine, showHidden } from '../src/text/visible';

describe('showHidden', () => {
  it.each([
    ['a\u0000b', 'a⟨U+0000⟩b'],
    ['a\u202eb\u2066c', 'a⟨U+202E⟩b⟨U+2066⟩c'],
    ['\ufefftext', 'text'],
    ['a\ufeffb', 'a⟨U+FEFF⟩b'],
    ['line\r\nline\ttab', 'line\nline\ttab'],
    ['👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'], // joiners are part of visible characters
    ['عربى', 'عربى'],
    ['a\u{e0061}', 'a⟨U+E0061⟩'],
    ['a\u034fb\u3164c\u115f\uffa0\u2800', 'a⟨U+034F⟩b⟨U+3164⟩c⟨U+115F⟩⟨U+FFA0⟩⟨U+2800⟩'],
    // one selector after the character that it varies
    ['❤\ufe0f 1\ufe0f\u20e3 \u8fbb\u{e0100}', '❤\ufe0f 1\ufe0f\u20e3 \u8fbb\u{e0100}'],
    ['a\ufe01b', 'a⟨U+FE01⟩b'],
    ['😀\ufe00\ufe01\ufe02', '😀\ufe00⟨U+FE01⟩⟨U+FE02⟩'], // a sequence of selectors can hide text
    ['😀\u{e0155}\u{e0156}', '😀⟨U+E0155⟩⟨U+E0156⟩'],
  ])('shows %j as %j', (text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });

  it('counts what it shows', () => {
    expect(countHidden('a\u202e\u200b\u{e0061}')).toBe(3);
    expect(countHidden('\ufeffplain\r\n')).toBe(0);
  });
});

describe('oneLine', () => {
  it('cuts a name of 10,000 characters, and says so', () => {
    const shown = oneLine('n'.repeat(10_000), 120);
    expect(shown).toBe(`${'n'.repeat(120)}… (cut: 10,000 characters)`);
  });
  it('never cuts a character in two', () => {
    expect(cut('ab🙂', 3)).toBe('ab');
    expect(cut('ab🙂', 4)).toBe('ab🙂');
  });
  it('joins lines', () => {
    expect(oneLine(' a\n\n b\t c ')).toBe('a b c');
  });
});

// For any two texts, the lines that were not added make the older text, and the lines that were not removed make the
// newer one.
function told(lines: Line[], without: 'added' | 'removed'): string[] {
  return lines.filter((line) => line.kind !== without).map((line) => line.text);
}

describe('difference', () => {
  it('finds the smallest change', () => {
    const lines = difference('a\nb\nc\nd\n', 'a\nc\nd\ne\n');
    expect(lines.map((line) => `${line.kind[0]}${line.text}`)).toEqual(['sa', 'rb', 'sc', 'sd', 'ae']);
    expect(lines[1]).toEqual({ kind: 'removed', text: 'b', before: 2 });
    expect(lines[4]).toEqual({ kind: 'added', text: 'e', after: 4 });
    expect(lines[2]).toEqual({ kind: 'same', text: 'c', before: 3, after: 2 });
  });

  it('holds for any two texts', () => {
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
    for (let round = 0; round < 300; round += 1) {
      const text = (): string[] => Array.from({ length: random(30) }, () => 'abcd'[random(4)] ?? '');
      const older = text();
      const newer = text();
      const lines = difference(older.join('\n'), newer.join('\n'));
      expect(told(lines, 'added')).toEqual(older);
      expect(told(lines, 'removed')).toEqual(newer);
      lines.filter((line) => line.before !== undefined).forEach((line, at) => expect(line.before).toBe(at + 1));
      lines.filter((line) => line.after !== undefined).forEach((line, at) => expect(line.after).toBe(at + 1));
    }
  });

  it('tells what differs too much as replaced', () => {
    const older = Array.from({ length: 20_000 }, (_, at) => `old ${at}`).join('\n');
    const newer = Array.from({ length: 20_000 }, (_, at) => `new ${at}`).join('\n');
    const lines = difference(older, newer);
    expect(lines).toHaveLength(40_000);
  });

  it('is empty for equal and for empty texts', () => {
    expect(hunks(difference('a\nb', 'a\nb'))).toEqual([]);
    expect(difference('', '')).toEqual([]);
    expect(difference('', 'a\n')).toEqual([{ kind: 'added', text: 'a', after: 1 }]);
  });
});

describe('hunks', () => {
  const lines = (kinds: string): Line[] => [...kinds].map((kind) => ({ kind: kind === '.' ? 'same' : 'added', text: kind }));
  it.each([
    ['....+....', ['...+...']],
    ['+......+', ['+......+']],
    ['+.......+', ['+...', '...+']],
    ['++', ['++']],
    ['.......', []],
  ])('cuts %s into %j', (kinds, cuts) => {
    expect(hunks(lines(kinds)).map((hunk) => hunk.lines.map((line) => line.text).join(''))).toEqual(cuts);
  });
});

describe('parseUnified', () => {
  it('numbers the lines of a unified diff', () => {
    const [hunk] = parseUnified('--- a\n+++ b\n@@ -3,3 +3,3 @@\n same\n-old\n+new\n same\n');
    expect(hunk?.lines).toEqual([
      { kind: 'same', text: 'same', before: 3, after: 3 },
      { kind: 'removed', text: 'old', before: 4 },
      { kind: 'added', text: 'new', after: 4 },
      { kind: 'same', text: 'same', before: 5, after: 5 },
    ]);
  });
  it('keeps every line that is none of the text', () => {
    const text = 'it has become executable\n@@ -1 +1,2 @@\n+a\n+b\n… (12 bytes more)\n';
    expect(parseUnified(text).flatMap((hunk) => hunk.lines.map((line) => [line.kind, line.text]))).toEqual([['note', 'it has become executable'], ['added', 'a'], ['added', 'b'], ['note', '… (12 bytes more)']]);
  });
  it('finds nothing in other texts', () => {
    expect(parseUnified('any text\n+with a plus')).toEqual([]);
  });
});

describe('figures for people', () => {
  it.each([
    [bytes(0), '0 B'],
    [bytes(1536), '1.5 KiB'],
    [bytes(undefined), '–'],
    [duration(59), '59 s'],
    [duration(3700), '1 h 1 min'],
    [duration(90_000), '1 day 1 h'],
    [duration(86_400), '1 day'],
    [duration(30 * 86_400 + 7200), '30 days'],
    [milliseconds(0.2), '200 µs'],
    [milliseconds(1500), '1.5 s'],
    [ago(new Date(0), 120_000), '2 min ago'],
    [ago(new Date(120_000), 0), 'in 2 min'],
  ])('%s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
  it('reads the times that servers write, and nothing else', () => {
    expect(timeOf('2026-11-26T16:41:19Z')?.getTime()).toBe(1_795_711_279_000);
    expect(timeOf(1_795_711_279)?.getTime()).toBe(1_795_711_279_000);
    expect(timeOf(1_795_711_279_000)?.getTime()).toBe(1_795_711_279_000);
    expect(timeOf('tomorrow')).toBeUndefined();
    expect(timeOf('2026-99-99')).toBeUndefined();
    expect(timeOf(0)).toBeUndefined();
  });
});
