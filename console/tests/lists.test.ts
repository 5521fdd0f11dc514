// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { rowOf, type SkillRow } from '../src/data/catalogue';
import { audienceOfRule } from '../src/data/joined';
import type { Resource } from '../src/mcp/messages';
import { linesOf, treeOf } from '../src/data/tree';
import { link, routeOf } from '../src/ui/router';
import { highest, scrollTo, windowOf } from '../src/ui/virtual';

function rowsOf(...ids: string[]): SkillRow[] {
  return ids.map((id) => rowOf({ uri: `skill://${id}/SKILL.md`, name: id.split('/').pop() ?? '' }) as SkillRow);
}

describe('windowOf', () => {
  it('has the rows that are visible and a few more', () => {
    const shown = windowOf(3600, 400, 61_000, 36);
    expect(shown.from).toBe(92);
    expect(shown.to).toBe(120);
    expect(shown.height).toBe(61_000 * 36);
    expect(shown.top).toBe(92 * 36);
  });

  it.each([
    [0, 400, 0, 36],
    [0, 400, 3, 36],
    [99_999_999, 400, 1000, 36],
    [-50, 400, 1000, 36],
    [0, 0, 1000, 36],
    [highest, 400, 5_000_000, 20],
  ])('stays within the list at %d', (scrollTop, viewport, count, rowHeight) => {
    const shown = windowOf(scrollTop, viewport, count, rowHeight);
    expect(shown.from).toBeGreaterThanOrEqual(0);
    expect(shown.to).toBeLessThanOrEqual(count);
    expect(shown.to - shown.from).toBeLessThanOrEqual(Math.ceil(viewport / rowHeight) + 18);
    expect(shown.height).toBeLessThanOrEqual(highest);
  });

  it('reaches every row of a list that is higher than browsers lay out', () => {
    const count = 5_000_000;
    const end = windowOf(highest - 400, 400, count, 20);
    expect(end.to).toBe(count);
    // The last row ends at the end of the scrolled area.
    expect(end.top + (end.to - end.from) * 20).toBeCloseTo(highest, 3);
    expect(windowOf(0, 400, count, 20).from).toBe(0);
  });

  it('brings any row into view by the keyboard', () => {
    for (const count of [10, 61_000, 5_000_000]) {
      for (const row of [0, 1, Math.floor(count / 2), count - 1]) {
        const position = scrollTo(row, 0, 400, count, 20) ?? 0;
        const shown = windowOf(position, 400, count, 20, 0);
        expect(shown.from).toBeLessThanOrEqual(row);
        expect(shown.to).toBeGreaterThan(row);
      }
    }
    expect(scrollTo(5, 0, 400, 1000, 20)).toBeUndefined();
  });
});

describe('rowOf', () => {
  it('knows a skill by its URI', () => {
    const row = rowOf({ uri: 'skill://team/a%20b/pdf/SKILL.md', name: 'pdf', description: 'x'.repeat(5000), size: 4001 });
    expect(row).toMatchObject({ id: 'team/a b/pdf', source: 'team', path: 'a b/pdf', tokens: 1000 });
    expect(row?.description.length).toBeLessThan(400);
  });
  it('knows its category where the server says one', () => {
    const categoryOf = (meta: unknown) => rowOf({ uri: 'skill://a/b/SKILL.md', name: 'b', ...(meta === undefined ? {} : { _meta: meta }) } as Resource)?.category;
    expect(categoryOf({ 'org.skillhost/category': 'office' })).toBe('office');
    for (const meta of [undefined, null, {}, 'text', { 'org.skillhost/category': 7 }]) expect(categoryOf(meta)).toBe('');
  });
  it.each(['skillhost://stats', 'skill://team/pdf/other.md', 'skill://team/SKILL.md', 'https://a/b/SKILL.md'])('takes %s for no skill', (uri) => {
    expect(rowOf({ uri, name: 'x' })).toBeUndefined();
  });
  it('bears a name of 10,000 characters', () => {
    expect(rowOf({ uri: 'skill://a/b/SKILL.md', name: 'n'.repeat(10_000) })?.name).toContain('cut: 10,000 characters');
  });
});

describe('a rule of visibility', () => {
  it.each([
    [{ sources: ['hr-*'], scopes: ['hr', 'staff'], principals: ['ada'] }, 'whoever has the scope hr or staff, or whose name matches ada (a rule for sources hr-*)'],
    [{ categories: ['internal'], scopes: ['staff'], issuers: ['https://id.example.com'] }, 'whoever has the scope staff, if of the issuer https://id.example.com (a rule for categories internal)'],
    [{ sources: ['a'], categories: ['b', 'c'], issuers: ['static'] }, 'everybody of the issuer static (a rule for sources a and categories b, c)'],
    [{}, 'nobody (a rule for all skills)'],
    [{ scopes: 'no list' }, 'nobody (a rule for all skills)'],
  ])('says whom %j lets see what it names', (rule, words) => {
    expect(audienceOfRule(rule)).toBe(words);
  });
});

describe('the tree', () => {
  const tree = treeOf(rowsOf('one/a/x', 'one/a/y', 'one/b/c/z', 'two/deep/only/w', 'two/deep/only/v'));
  it('tells folders that hold one folder in one line', () => {
    const lines = linesOf(tree, new Set());
    expect(lines.map((line) => [line.folder?.name, line.folder?.count])).toEqual([
      ['one', 3],
      ['two/deep/only', 2],
    ]);
    expect(lines[0]).toMatchObject({ level: 1, position: 1, siblings: 2 });
  });
  it('shows what is in an open folder', () => {
    const lines = linesOf(tree, new Set(['one', 'one/b/c']));
    expect(lines.map((line) => `${line.level} ${line.folder?.name ?? line.skill?.name}`)).toEqual(['1 one', '2 a', '2 b/c', '3 z', '1 two/deep/only']);
  });
  it('is made of 61,000 skills', () => {
    const rows = rowsOf(...Array.from({ length: 61_000 }, (_, at) => `s${at % 10}/f${at % 1000}/skill-${at}`));
    expect(treeOf(rows)).toHaveLength(10);
  });
});

describe('addresses', () => {
  it.each(['team/a b/pdf', 'team/ü?#&=/x', 'a%2Fb', '..', '🙂'])('hold %j', (rest) => {
    expect(routeOf(link('skill', rest, { tab: 'files', file: 'a/b c.md' }))).toMatchObject({ view: 'skill', rest });
    expect(routeOf(link('skill', rest, { file: 'a/b c.md' })).query.get('file')).toBe('a/b c.md');
  });
  it('bear what somebody mistyped', () => {
    expect(routeOf('#/skill/%ff').rest).toBe('%ff');
    expect(routeOf('').view).toBe('overview');
  });
});
