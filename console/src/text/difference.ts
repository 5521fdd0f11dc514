// SPDX-License-Identifier: Apache-2.0
// Compares two texts by lines (Myers, O(ND)), and groups the changes with a few lines of context.

export interface Line {
  kind: 'same' | 'removed' | 'added' | 'note'; // a note is a remark of the server, not part of the texts
  text: string;
  before?: number; // line number in the older text, from 1
  after?: number; // line number in the newer text, from 1
}

export interface Hunk {
  lines: Line[];
}

// Comparing more changed lines than this would take long, so the middle is then shown as replaced as a whole.
const maxEdits = 1500;

export function difference(older: string, newer: string): Line[] {
  const before = linesOf(older);
  const after = linesOf(newer);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const lines: Line[] = [];
  for (let at = 0; at < start; at += 1) lines.push(same(before, at, at));
  lines.push(...middle(before, after, start, before.length - end, after.length - end));
  for (let at = end; at > 0; at -= 1) lines.push(same(before, before.length - at, after.length - at));
  return lines;
}

// Returns the changes with `context` lines around each, or nothing if the texts are equal.
export function hunks(lines: Line[], context = 3): Hunk[] {
  const found: Hunk[] = [];
  let until = -1; // exclusive end of the last hunk
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at]?.kind === 'same') continue;
    const from = Math.max(at - context, 0);
    const to = Math.min(at + context + 1, lines.length);
    const last = found[found.length - 1];
    if (last && from <= until) last.lines.push(...lines.slice(until, to));
    else found.push({ lines: lines.slice(from, to) });
    until = to;
  }
  return found;
}

// Parses a unified diff from the server, for which the texts themselves are not available. No line is dropped: lines
// that belong to neither text become notes.
export function parseUnified(text: string): Hunk[] {
  const lines = linesOf(text);
  const first = lines.findIndex((line) => hunkHead.test(line));
  if (first < 0) return [];
  // without the names of the two files
  const preamble = lines.slice(0, first).filter((line) => !/^(?:---|\+\+\+) /.test(line));
  const found: Hunk[] = preamble.length > 0 ? [{ lines: preamble.map(note) }] : [];
  let before = 0;
  let after = 0;
  for (const line of lines.slice(first)) {
    const head = hunkHead.exec(line);
    if (head) {
      before = Number(head[1]);
      after = Number(head[2]);
      found.push({ lines: [] });
      continue;
    }
    const into = found[found.length - 1]?.lines;
    if (line.startsWith('+')) into?.push({ kind: 'added', text: line.slice(1), after: after++ });
    else if (line.startsWith('-')) into?.push({ kind: 'removed', text: line.slice(1), before: before++ });
    else if (line.startsWith(' ')) into?.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ });
    else into?.push(note(line));
  }
  return found;
}

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

function note(text: string): Line {
  return { kind: 'note', text };
}

export function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

function same(before: string[], older: number, newer: number): Line {
  return { kind: 'same', text: before[older] ?? '', before: older + 1, after: newer + 1 };
}

function middle(before: string[], after: string[], start: number, beforeEnd: number, afterEnd: number): Line[] {
  const older = before.slice(start, beforeEnd);
  const newer = after.slice(start, afterEnd);
  const path = shortestPath(older, newer);
  const removed = (at: number): Line => ({ kind: 'removed', text: older[at] ?? '', before: start + at + 1 });
  const added = (at: number): Line => ({ kind: 'added', text: newer[at] ?? '', after: start + at + 1 });
  if (!path) return [...older.map((_, at) => removed(at)), ...newer.map((_, at) => added(at))];
  const lines: Line[] = [];
  let x = 0;
  let y = 0;
  for (const step of path) {
    if (step === 'same') lines.push({ kind: 'same', text: older[x] ?? '', before: start + ++x, after: start + ++y });
    else if (step === 'removed') lines.push(removed(x++));
    else lines.push(added(y++));
  }
  return lines;
}

// Returns the steps from the older to the newer text, or undefined if more than maxEdits are needed.
function shortestPath(older: string[], newer: string[]): Line['kind'][] | undefined {
  const most = Math.min(older.length + newer.length, maxEdits);
  const offset = most + 1;
  const furthest = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(furthest.slice(offset - edits - 1, offset + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && furthest[offset + diagonal - 1]! < furthest[offset + diagonal + 1]!);
      let x = down ? furthest[offset + diagonal + 1]! : furthest[offset + diagonal - 1]! + 1;
      let y = x - diagonal;
      while (x < older.length && y < newer.length && older[x] === newer[y]) {
        x += 1;
        y += 1;
      }
      furthest[offset + diagonal] = x;
      if (x >= older.length && y >= newer.length) return walkBack(trace, older.length, newer.length);
    }
  }
  return undefined;
}

function walkBack(trace: Int32Array[], olderLength: number, newerLength: number): Line['kind'][] {
  const steps: Line['kind'][] = [];
  let x = olderLength;
  let y = newerLength;
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const row = trace[edits]!;
    const value = (diagonal: number): number => row[diagonal + edits + 1]!;
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && value(diagonal - 1) < value(diagonal + 1));
    const previous = down ? diagonal + 1 : diagonal - 1;
    const beforeX = edits === 0 ? 0 : value(previous);
    const beforeY = edits === 0 ? 0 : beforeX - previous;
    while (x > beforeX && y > beforeY) {
      steps.push('same');
      x -= 1;
      y -= 1;
    }
    if (edits === 0) break;
    steps.push(down ? 'added' : 'removed');
    x = beforeX;
    y = beforeY;
  }
  return steps.reverse();
}
