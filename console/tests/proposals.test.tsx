// SPDX-License-Identifier: Apache-2.0
// A reviewer approves only the proposal that the page has shown, against the skill that it was shown with.
import { render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decisionOn, partsOfProposal, proposalIn, readProposals } from '../src/data/proposals';
import { hunksOf, notShown, readRest } from '../src/data/review';
import type { ToolAnswer } from '../src/data/server';
import { toolNames } from '../src/data/tools';
import { Failure, failureOfError } from '../src/mcp/failure';
import type { JsonObject } from '../src/mcp/messages';

const server = vi.hoisted(() => ({ call: vi.fn(), all: vi.fn() }));
vi.mock('../src/data/server', async (original) => ({ ...(await original<object>()), callTool: server.call, client: { all: server.all } }));

const id = '0123456789abcdef0123456789abcdef';
const pending: JsonObject = { id, name: 'fish', state: 'pending', proposer: 'ada', issuer: 'house', when: '2026-11-26T20:00:00Z', note: 'for the pond', digest: 'blake3:00', files: 1, bytes: 9, findings: [], findings_total: 0 };
const change: JsonObject = { path: 'SKILL.md', change: 'changed', shown: true, remark: '', text: '@@ -1 +1 @@\n-old\n+new\n' };

function answer(more: JsonObject = {}, proposal: JsonObject = {}): ToolAnswer {
  return { data: { proposal: { ...pending, ...proposal }, change: true, base: 'blake3:11', outdated: false, files: [change], message: 'a change of a skill', ...more }, meta: {} };
}

describe('a proposal in an answer', () => {
  it('has what the server says of its files', () => {
    const { files, base, isOutdated } = proposalIn(answer({ outdated: true, files: [
      { path: 'a.sh', change: 'new', shown: true, remark: 'it is executable', text: '@@ -0,0 +1 @@\n+a\n', executable: true },
      { path: 'b.bin', change: 'new', shown: false, remark: '3 bytes, blake3:aa', text: '', executable: false },
      { path: 'c.md', change: 'gone', shown: false, remark: '4 bytes, blake3:bb', text: '' },
      { path: 'd.md', change: 'changed', shown: true, remark: '', text: '… (the line end at the end of the file differs)\n', executable: { from: true, to: false } },
      { path: 'e.md', change: 'new', text: 'of a server that does not say what it shows' },
      { path: 'f.md', change: 'new', shown: true, remark: '', text: '@@ -0,0 +1,9 @@\n', next_offset: 17, rest: 40 },
    ] }).data);
    expect([base, isOutdated]).toEqual(['blake3:11', true]);
    expect(files.map((file) => notShown(file))).toEqual([undefined, '3 bytes, blake3:aa', undefined, undefined, 'the server does not show it', undefined]);
    expect(files.map((file) => file.executable)).toEqual([true, undefined, undefined, false, undefined, undefined]);
    expect(files[5]).toMatchObject({ next: 17, left: 40 });
    expect(files[0] && hunksOf(files[0]).flatMap((hunk) => hunk.lines)).toEqual([{ kind: 'added', text: 'a', after: 1 }]);
  });

  it('is read to its end, and never put together from two contents', async () => {
    const whole = `@@ -0,0 +1,900 @@\n${'+line\n'.repeat(900)}`;
    const part = (from: number): JsonObject => ({ ...change, text: whole.slice(from, from + 1000), ...(from + 1000 < whole.length ? { next_offset: from + 1000, rest: whole.length - from - 1000 } : {}) });
    const first = proposalIn(answer({ files: [part(0)] }).data);
    let files = first.files;
    const read = (now: (args: JsonObject) => ToolAnswer) => readRest(partsOfProposal(id, first, async (_tool, args) => now(args)), files, 1_000_000, (more) => (files = more), new AbortController().signal);
    await expect(read(() => answer({ base: 'blake3:22', files: [part(1000)] }))).rejects.toMatchObject({ details: { code: 'CONFLICT' } });
    await expect(read(() => answer({ files: [part(1000)] }, { digest: 'blake3:33' }))).rejects.toMatchObject({ details: { code: 'CONFLICT' } });
    await expect(read(() => answer({ files: [{ ...part(0), next_offset: 1000 }] }))).rejects.toThrow('does not go on');
    await expect(read(() => answer({ files: [] }))).rejects.toThrow('no longer shows');
    expect(files[0]?.text).toHaveLength(1000);
    await read((args) => answer({ files: [part(Number(args['text_offset']))] }));
    expect(files[0]).toMatchObject({ text: whole, next: undefined });
  });

  it('is decided on as it was shown', () => {
    const shown = proposalIn(answer().data);
    expect(decisionOn(id, shown, 'approve', 'read')).toEqual({ id, decision: 'approve', digest: 'blake3:00', base: 'blake3:11', reason: 'read' });
    expect(decisionOn(id, shown, 'reject', '')).toEqual({ id, decision: 'reject', digest: 'blake3:00' });
    expect(decisionOn(id, proposalIn(answer({ outdated: true }).data), 'approve', '')).toMatchObject({ base: 'blake3:11', even_if_changed: true });
    expect(decisionOn(id, proposalIn(answer({ change: false, base: '' }).data), 'approve', '')).toMatchObject({ base: '' });
  });
});

describe('the list of proposals', () => {
  it('is read to its end', async () => {
    const asked: JsonObject[] = [];
    const all = await readProposals('pending', new AbortController().signal, async (_tool, args) => {
      asked.push(args);
      return { data: { total: 3, proposals: [{ id: String(args['offset'] ?? 0) }, { id: 'x' }].slice(0, args['offset'] === 2 ? 1 : 2) }, meta: {} };
    });
    expect(all.map((one) => one['id'])).toEqual(['0', 'x', '2']);
    expect(asked).toEqual([{ state: 'pending' }, { state: 'pending', offset: 2 }]);
  });

  it('ends where the server has no more, whatever it promises', async () => {
    const call = vi.fn(async () => ({ data: { total: 99, proposals: [] }, meta: {} }));
    expect(await readProposals('', new AbortController().signal, call)).toEqual([]);
    expect(call).toHaveBeenCalledTimes(2);
  });
});

describe('a refusal of a tool', () => {
  it('names the scope that is missing', () => {
    expect(failureOfError({ code: -31007, message: 'no', data: { scope: 'skills:read skills:propose' } }, 200)).toMatchObject({ kind: 'forbidden', details: { scope: 'skills:read skills:propose' } });
    expect(failureOfError({ code: -31007, message: 'no' }, 200).details.scope).toBeUndefined();
  });
});

describe('the pages of proposals', () => {
  let place: HTMLElement;
  beforeEach(() => {
    place = document.createElement('div');
    document.body.append(place);
    toolNames.value = new Set(['list_proposals', 'show_proposal', 'review_proposal']);
    server.call.mockReset();
  });
  afterEach(() => {
    render(null, place);
    place.remove();
    toolNames.value = new Set();
  });
  const find = (name: string): HTMLButtonElement | undefined => [...place.querySelectorAll('button')].find((one) => one.textContent === name);
  const button = (name: string): HTMLButtonElement => {
    const found = find(name);
    if (!found) throw new Error(`no button ${name}: ${place.textContent}`);
    return found;
  };
  const box = (): HTMLInputElement => {
    const found = place.querySelector<HTMLInputElement>('input[type=checkbox]');
    if (!found) throw new Error(`no box: ${place.textContent}`);
    return found;
  };
  async function open(address: string, call: (tool: string, args: JsonObject) => Promise<ToolAnswer>): Promise<void> {
    server.call.mockImplementation(call);
    location.hash = address;
    (await import('../src/ui/router')).followAddress();
    const { Proposal, Proposals } = await import('../src/pages/proposals');
    render(address.startsWith('#/proposals') ? <Proposals /> : <Proposal />, place);
    await vi.waitFor(() => expect(place.textContent).not.toMatch(/Reading/));
  }
  // Answers the tool that shows, and keeps the arguments of decisions.
  function deciding(shown: () => ToolAnswer, decided: JsonObject[]): (tool: string, args: JsonObject) => Promise<ToolAnswer> {
    return async (tool, args) => {
      if (tool === 'show_proposal') return shown();
      decided.push(args);
      return { data: { message: 'written' }, meta: {} };
    };
  }

  it('lists what there is, with its state, proposer, kind and findings', async () => {
    await open('#/proposals?state=all', async () => ({ data: { total: 2, proposals: [
      { ...pending, change: true, findings_total: 3 },
      { ...pending, id: 'x', name: 'bird', state: 'rejected', reviewer: 'rex', reason: 'not now', change: false },
    ] }, meta: {} }));
    const rows = [...place.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '');
    expect(rows).toHaveLength(2);
    for (const words of ['fish', 'change', 'pending', 'ada', '3', 'for the pond']) expect(rows[0]).toContain(words);
    for (const words of ['bird', 'new', 'rejected', 'by rex: not now']) expect(rows[1]).toContain(words);
    expect(place.querySelector('tbody a')?.getAttribute('href')).toBe(`#/proposal/${id}`);
    expect(server.call.mock.calls[0]?.[1]).toEqual({});
  });

  it('shows the texts of a stranger as text', async () => {
    const attack = '<img src=x onerror="globalThis.ran=1"><a href="javascript:1">x</a>\u202e';
    await open(`#/proposal/${id}`, async () => answer({ files: [{ ...change, path: attack, remark: attack, text: `@@ -0,0 +1 @@\n+${attack}\n` }] }, { name: attack, note: attack, proposer: attack, findings: [{ severity: 'warning', file: attack, reason: attack, id: attack }] }));
    expect(place.querySelectorAll('img, script, a[href^="javascript"]')).toHaveLength(0);
    expect([...place.querySelectorAll('a')].map((one) => one.getAttribute('href'))).toEqual(['#/proposals']);
    expect(place.textContent).toContain('<img src=x');
    expect(place.textContent).not.toContain('\u202e');
  });

  it('lets the proposer see the state, and decide on nothing', async () => {
    toolNames.value = new Set(['list_proposals', 'show_proposal']);
    await open(`#/proposal/${id}`, async () => answer());
    expect(place.textContent).toContain('It waits for a reviewer');
    expect(find('Approve')).toBeUndefined();
  });

  it('sends what was shown, and takes no decision on what is decided', async () => {
    const decided: JsonObject[] = [];
    await open(`#/proposal/${id}`, deciding(() => (decided.length === 0 ? answer() : answer({}, { state: 'approved', reviewer: 'rex', decided: '2026-11-26T20:01:00Z', reason: '' })), decided));
    button('Approve').click();
    await vi.waitFor(() => expect(place.textContent).toContain('Decided: approved by rex'));
    expect(decided).toEqual([{ id, decision: 'approve', digest: 'blake3:00', base: 'blake3:11' }]);
    expect(place.textContent).toContain('Written down. written');
    expect(find('Approve')).toBeUndefined();
  });

  it('wants a word for a file that cannot be shown', async () => {
    await open(`#/proposal/${id}`, async () => answer({ files: [change, { path: 'a.bin', change: 'new', shown: false, remark: '3 bytes, blake3:aa', text: '' }] }));
    expect(button('Approve').disabled).toBe(true);
    expect(place.textContent).toContain('a.bin: 3 bytes');
    box().click();
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
  });

  it('wants a word for the change of a skill since the proposal, and again when there is another one', async () => {
    let base = 'blake3:22';
    const decided: JsonObject[] = [];
    await open(`#/proposal/${id}`, deciding(() => answer({ outdated: true, base }), decided));
    expect(button('Approve').disabled).toBe(true);
    expect(place.textContent).toContain('The skill has changed since the proposal.');
    box().click();
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    base = 'blake3:33';
    dispatchEvent(new Event('focus')); // the reviewer returns to the page
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(true));
    box().click();
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    button('Approve').click();
    await vi.waitFor(() => expect(decided).toEqual([{ id, decision: 'approve', digest: 'blake3:00', base: 'blake3:33', even_if_changed: true }]));
  });

  it('lets nobody approve before the last line is shown', async () => {
    let goOn: (() => void) | undefined;
    await open(`#/proposal/${id}`, async (_tool, args) => {
      if (args['path'] === undefined) return answer({ files: [{ ...change, next_offset: 23, rest: 6 }] });
      await new Promise<void>((resolve) => (goOn = resolve));
      return answer({ files: [{ ...change, text: '+last\n' }] });
    });
    await vi.waitFor(() => expect(goOn).toBeDefined());
    expect(button('Approve').disabled).toBe(true);
    expect(button('Reject').disabled).toBe(false);
    goOn?.();
    await vi.waitFor(() => expect(button('Approve').disabled).toBe(false));
    expect(place.textContent).toContain('last');
  });

  it('shows a conflict, and the proposal as it is now', async () => {
    let shows = 0;
    await open(`#/proposal/${id}`, async (tool) => {
      if (tool !== 'show_proposal') throw new Failure('tool', 'the skill fish has changed since the proposal was shown', { code: 'CONFLICT' });
      return answer({}, { note: `shown ${(shows += 1)}` });
    });
    button('Approve').click();
    await vi.waitFor(() => expect(place.textContent).toContain('has changed since the proposal was shown'));
    expect(place.textContent).not.toContain('Written down');
    button('Show it as it is now').click();
    await vi.waitFor(() => expect(place.textContent).toContain('shown 2'));
  });
});

describe('the navigation', () => {
  it('has the proposals only with their tools', async () => {
    const place = document.createElement('div');
    document.body.append(place);
    HTMLElement.prototype.scrollIntoView ??= () => undefined;
    HTMLDialogElement.prototype.showModal ??= () => undefined;
    const { Shell } = await import('../src/ui/shell');
    const { followTools } = await import('../src/data/tools');
    const { readAgain } = await import('../src/data/server');
    render(<Shell>content</Shell>, place);
    const views = (): string[] => [...place.querySelectorAll('nav a')].map((one) => one.textContent ?? '');
    server.all.mockResolvedValue([{ name: 'load_skill' }]);
    const end = followTools();
    await vi.waitFor(() => expect(toolNames.value.has('load_skill')).toBe(true));
    expect(views()).toContain('Reviews');
    expect(views()).not.toContain('Proposals');
    server.all.mockResolvedValue([{ name: 'list_proposals' }]);
    readAgain(); // the visitor has signed in, or the tools have changed
    await vi.waitFor(() => expect(views()).toContain('Proposals'));
    server.all.mockRejectedValue(new Failure('unreachable', 'away'));
    readAgain();
    await vi.waitFor(() => expect(server.all).toHaveBeenCalledTimes(3));
    expect(views()).toContain('Proposals');
    server.all.mockRejectedValue(new Failure('sign-in', 'no'));
    readAgain();
    await vi.waitFor(() => expect(views()).not.toContain('Proposals'));
    end();
    render(null, place);
    place.remove();
  });
});
