// SPDX-License-Identifier: Apache-2.0
// A reviewer can approve only content that the page has shown completely.
import { render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filesOf, hunksOf, notShown, partsOfReview, readRest, seenOf } from '../src/data/review';
import type { ToolAnswer } from '../src/data/server';
import { Failure } from '../src/mcp/failure';
import type { JsonObject } from '../src/mcp/messages';

const server = vi.hoisted(() => ({ call: vi.fn(), all: vi.fn() }));
vi.mock('../src/data/server', async (original) => ({ ...(await original<object>()), callTool: server.call, client: { all: server.all } }));

const digest = 'blake3:00';
const whole = `@@ -0,0 +1,5000 @@\n${Array.from({ length: 5000 }, (_, at) => `+Step ${at}\n`).join('')}+EVIL-PAYLOAD\n`;

// Answers as the server does, in parts of `room` characters.
function answersWith(texts: Record<string, string>, room: number, more: { decision?: JsonObject; digest?: () => string } = {}) {
  return async (_tool: string, args: JsonObject): Promise<ToolAnswer> => {
    const review: JsonObject = { id: 'hub/big', digest: more.digest?.() ?? digest, action: 'quarantine', state: 'new', files: 2, ...(more.decision ? { decision: more.decision } : {}) };
    if (args['action'] !== 'show') return { data: { review, message: 'written' }, meta: {} };
    const from = Number(args['text_offset'] ?? 0);
    const of = (path: string): JsonObject => ({ path, change: 'new', text: (texts[path] ?? '').slice(from, from + room) });
    if (typeof args['path'] === 'string') {
      const data: JsonObject = { review, base: null, files: [of(args['path'])] };
      if (from + room < (texts[args['path']]?.length ?? 0)) data['next_offset'] = from + room;
      return { data, meta: {} };
    }
    let left = room;
    const files = Object.entries(texts).map(([path, text]) => {
      const part = text.slice(0, left);
      left -= part.length;
      const mark = part === text ? '' : `\n… (${text.length - part.length} bytes more: show with path and text_offset ${part.length})\n`;
      return { path, change: 'new', text: part + mark };
    });
    const data: JsonObject = { review, base: null, files };
    if (files.some((file) => file.text.includes('bytes more'))) data['message'] = 'not shown as a whole, for want of room';
    return { data, meta: {} };
  };
}

describe('what is to be looked at', () => {
  it('is read until all of it is here', async () => {
    const call = answersWith({ 'a.md': '@@ -0,0 +1 @@\n+a\n', 'guide.md': whole }, 9000);
    let files = filesOf((await call('', { action: 'show' })).data);
    expect(files[1]).toMatchObject({ next: 8983, left: whole.length - 8983 });
    expect(files[1]?.text).not.toContain('bytes more');
    await readRest(partsOfReview('hub/big', digest, call), files, 1_000_000, (now) => (files = now), new AbortController().signal);
    expect(files.map((file) => file.text)).toEqual(['@@ -0,0 +1 @@\n+a\n', whole]);
    expect(files.every((file) => file.next === undefined)).toBe(true);
  });

  it('is read from the start where the server says that something is missing, but not what', () => {
    const files = filesOf({ message: 'some of it is missing', files: [{ path: 'a', change: 'new', text: '@@ -0,0 +1 @@\n+a\n' }] });
    expect(files[0]).toMatchObject({ text: '', next: 0 });
  });

  it('stops where it is told to, and goes on from there', async () => {
    const call = answersWith({ 'guide.md': whole }, 9000);
    let files = filesOf((await call('', { action: 'show' })).data);
    const read = (most: number) => readRest(partsOfReview('hub/big', digest, call), files, most, (now) => (files = now), new AbortController().signal);
    await read(9000);
    expect(files[0]?.next).toBe(18_000);
    await read(1_000_000);
    expect(files[0]?.text).toBe(whole);
  });

  it('is never put together from two contents', async () => {
    const files = filesOf((await answersWith({ 'guide.md': whole }, 9000)('', { action: 'show' })).data);
    const call = answersWith({ 'guide.md': whole }, 9000, { digest: () => 'blake3:11' });
    await expect(readRest(partsOfReview('hub/big', digest, call), files, 1_000_000, () => undefined, new AbortController().signal)).rejects.toMatchObject({ details: { code: 'CONFLICT' } });
  });

  it('ends where the server does not go on', async () => {
    const call = async (): Promise<ToolAnswer> => ({ data: { review: { digest }, files: [{ path: 'a', text: '' }], next_offset: 5 }, meta: {} });
    await expect(readRest(partsOfReview('x', digest, call), [{ path: 'a', change: 'new', text: '', next: 5, left: 1, executable: undefined }], 100, () => undefined, new AbortController().signal)).rejects.toThrow('does not go on');
  });

  it.each([
    ['@@ -0,0 +1 @@\n+a\n', 'new', undefined],
    ['12345 bytes\n', 'new', '12345 bytes'],
    ['12 bytes\n', 'gone', undefined],
    ['10 bytes have become 12 (what was decided on is not kept here)\n', 'changed', '10 bytes have become 12 (what was decided on is not kept here)'],
    ['it has become executable\n', 'changed', undefined],
    ['it has become executable\n1 byte has become 2\n', 'changed', '1 byte has become 2'],
    ['@@ -0,0 +1 @@\n+a\n… (too long)\n', 'new', '… (too long)'],
    ['', 'new', undefined],
  ])('%j of a %s file cannot be shown: %j', (text, change, why) => {
    const [file] = filesOf({ files: [{ path: 'a', change, text }] });
    expect(file && notShown(file)).toBe(why);
  });

  it.each([
    [{ text: '@@ -1 +1 @@\n+a\n', executable: true }, true],
    [{ text: '@@ -1 +1 @@\n+a\n', executable: false }, undefined],
    [{ text: '@@ -1 +1 @@\n+a\n', executable: { from: false, to: true } }, true],
    [{ text: '@@ -1 +1 @@\n+a\n', executable: { from: true, to: false } }, false],
    [{ text: 'it has become executable\n@@ -1 +1 @@\n+a\n' }, true],
    [{ text: 'it is no longer executable\n' }, false],
    [{ text: '@@ -1 +1 @@\n+it has become executable\n' }, undefined],
    [{ text: '@@ -1 +1 @@\n+a\n' }, undefined],
  ])('the executable bit of %j is %j', (file, bit) => {
    expect(filesOf({ files: [{ path: 'a', change: 'changed', ...file }] })[0]?.executable).toBe(bit);
  });

  it('keeps what the server says before the first lines', () => {
    const [file] = filesOf({ files: [{ path: 'a', change: 'changed', text: 'it has become executable\n@@ -1 +1 @@\n+a\n' }] });
    expect(file && hunksOf(file).flatMap((hunk) => hunk.lines)).toEqual([{ kind: 'note', text: 'it has become executable' }, { kind: 'added', text: 'a', after: 1 }]);
  });

  it.each([
    [{}, ''],
    [{ decision: { id: 'abc' } }, 'abc'],
    [{ decision: { verdict: 'approve' } }, undefined],
  ])('the decision of %j is %j', (review, id) => {
    expect(seenOf(review)).toBe(id);
  });
});

describe('the page of a review', () => {
  let place: HTMLElement;
  beforeEach(async () => {
    place = document.createElement('div');
    document.body.append(place);
    location.hash = '#/review/hub/big';
    (await import('../src/ui/router')).followAddress();
    server.all.mockResolvedValue([{ name: 'review_skill', inputSchema: { properties: { seen: {} } } }]);
  });
  afterEach(() => {
    render(null, place);
    place.remove();
  });
  const button = (name: string): HTMLButtonElement => {
    const found = [...place.querySelectorAll('button')].find((one) => one.textContent === name);
    if (!found) throw new Error(`no button ${name}: ${place.textContent}`);
    return found;
  };
  async function open(call: (tool: string, args: JsonObject) => Promise<ToolAnswer>): Promise<void> {
    server.call.mockImplementation(call);
    const { Review } = await import('../src/pages/reviews');
    render(<Review />, place);
    await vi.waitFor(() => button('Approve'));
  }

  it('lets nobody approve before the last line is shown', async () => {
    let goOn: (() => void) | undefined;
    const answer = answersWith({ 'guide.md': whole }, 9000);
    await open(async (tool, args) => {
      if (args['path'] !== undefined && goOn === undefined) await new Promise<void>((resolve) => (goOn = resolve));
      return answer(tool, args);
    });
    expect(button('Approve').disabled).toBe(true);
    expect(button('Reject').disabled).toBe(false);
    expect(place.textContent).toContain('not shown as a whole, for want of room');
    expect(place.textContent).toContain('Approving has to wait');
    await vi.waitFor(() => expect(goOn).toBeDefined());
    goOn?.();
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    expect(place.textContent).not.toContain('not shown as a whole');
    const list = place.querySelector<HTMLElement>('[role=list] .virtual, .code-frame [role=list]');
    list?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    await vi.waitFor(() => expect(place.textContent).toContain('EVIL-PAYLOAD'));
  });

  it('lets nobody approve when the rest cannot be read', async () => {
    const answer = answersWith({ 'guide.md': whole }, 9000);
    await open(async (tool, args) => {
      if (args['path'] !== undefined) throw new Failure('unreachable', 'away');
      return answer(tool, args);
    });
    await vi.waitFor(() => expect(place.textContent).toContain('The rest of it'));
    expect(button('Approve').disabled).toBe(true);
  });

  it('takes the word of the reviewer for a file that cannot be shown, by its name', async () => {
    await open(answersWith({ 'logo.png': '12345 bytes\n' }, 9000));
    expect(button('Approve').disabled).toBe(true);
    expect(place.textContent).toContain('logo.png: 12345 bytes');
    place.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
  });

  it('says which decision was looked at, and asks again when there is another one', async () => {
    let decision: JsonObject = { id: 'one', verdict: 'approve', who: 'ada', when: '2026-11-26T20:00:00Z' };
    const decided: JsonObject[] = [];
    await open(async (tool, args) => {
      if (args['action'] !== 'show') decided.push(args);
      return answersWith({ 'a.md': '@@ -0,0 +1 @@\n+a\n' }, 9000, { decision })(tool, args);
    });
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    decision = { id: 'two', verdict: 'reject', who: 'grace', when: '2026-11-26T20:01:00Z', reason: 'malware' };
    dispatchEvent(new Event('focus')); // the reviewer returns to the page
    await vi.waitFor(() => expect(place.textContent).toContain('Somebody has decided meanwhile.'));
    expect(place.textContent).toContain('reject by grace: malware');
    expect(button('Approve').disabled).toBe(true);
    button('I have seen this').click();
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    button('Approve').click();
    await vi.waitFor(() => expect(decided).toHaveLength(1));
    expect(decided[0]).toMatchObject({ action: 'approve', digest, seen: 'two' });
  });

  it.each([
    ['grace', 'three', true],
    ['ada', 'two', false],
  ])('after the own decision one by %s is another one: %s, %j', async (who, id, isAnother) => {
    let decision: JsonObject = { id: 'one', verdict: 'reject', who: 'bob', when: '2026-11-26T20:00:00Z' };
    await open(async (tool, args) => {
      const answer = await answersWith({ 'a.md': '@@ -0,0 +1 @@\n+a\n' }, 9000, { decision })(tool, args);
      if (args['action'] === 'show') return answer;
      decision = { id, verdict: 'approve', who, when: '2026-11-26T20:01:00Z' };
      return { ...answer, data: { ...answer.data, review: { id: 'hub/big', decision: { id: 'two' } } } };
    });
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    button('Approve').click();
    await vi.waitFor(() => expect(place.textContent).toContain(`Last decision: approve by ${who}`));
    await vi.waitFor(() => expect(place.textContent?.includes('Somebody has decided meanwhile.')).toBe(isAnother));
    expect(button('Approve').disabled).toBe(isAnother);
  });

  it('says nothing of it to a server that does not ask', async () => {
    server.all.mockResolvedValue([{ name: 'review_skill', inputSchema: { properties: {} } }]);
    const decided: JsonObject[] = [];
    await open(async (tool, args) => {
      if (args['action'] !== 'show') decided.push(args);
      return answersWith({ 'a.md': '@@ -0,0 +1 @@\n+a\n' }, 9000)(tool, args);
    });
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    button('Approve').click();
    await vi.waitFor(() => expect(decided).toHaveLength(1));
    expect(decided[0]).not.toHaveProperty('seen');
  });

  it('shows a conflict', async () => {
    await open(async (tool, args) => {
      if (args['action'] === 'approve') throw new Failure('tool', 'grace has rejected it meanwhile', { code: 'CONFLICT' });
      return answersWith({ 'a.md': '@@ -0,0 +1 @@\n+a\n' }, 9000)(tool, args);
    });
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    button('Approve').click();
    await vi.waitFor(() => expect(place.textContent).toContain('grace has rejected it meanwhile'));
    expect(place.textContent).not.toContain('Written down');
  });

  it('marks what can be run', async () => {
    await open(async (tool, args) => {
      const answer = await answersWith({ 'run.sh': '@@ -0,0 +1 @@\n+#!/bin/sh\n' }, 9000)(tool, args);
      return { ...answer, data: { ...answer.data, files: [{ path: 'run.sh', change: 'new', text: '@@ -0,0 +1 @@\n+#!/bin/sh\n', executable: true }] } };
    });
    expect(place.querySelector('summary')?.textContent).toContain('executable');
  });
});
