// SPDX-License-Identifier: Apache-2.0
// Shows every skill, either as a table to filter and sort, or as a tree of the sources' folders.

import { useMemo, useState } from 'preact/hooks';
import { catalogue, needCatalogue, type SkillRow } from '../data/catalogue';
import { linesOf, treeOf, type TreeLine } from '../data/tree';
import { findingsBySkill, heldSkills, messageOf, textOf, unreadFiles, usageOf } from '../data/joined';
import type { JsonObject } from '../mcp/messages';
import { count, plural } from '../text/format';
import { useMedia, useOwn } from '../ui/hooks';
import { Loading, Notice, TabLinks, Unavailable } from '../ui/parts';
import { link, replaceQuery, route } from '../ui/router';
import { Heading } from '../ui/shell';
import { VirtualList } from '../ui/virtual_list';
import { oneLine } from '../text/visible';

type SortKey = 'name' | 'source' | 'category' | 'tokens' | 'loads' | 'findings';

interface Filters {
  text: string;
  source: string;
  category: string;
  state: string;
  sort: SortKey;
  down: boolean;
  shape: 'table' | 'tree';
}

function filtersOf(query: URLSearchParams): Filters {
  const sort = query.get('sort') ?? '';
  return {
    text: query.get('text') ?? '',
    source: query.get('source') ?? '',
    category: query.get('category') ?? '',
    state: query.get('state') ?? '',
    sort: (['name', 'source', 'category', 'tokens', 'loads', 'findings'] as const).find((key) => key === sort) ?? 'name',
    down: query.get('order') === 'down',
    shape: query.get('as') === 'tree' ? 'tree' : 'table',
  };
}

function queryOf(filters: Filters): Record<string, string | undefined> {
  return {
    text: filters.text,
    source: filters.source,
    category: filters.category,
    state: filters.state,
    sort: filters.sort === 'name' ? undefined : filters.sort,
    order: filters.down ? 'down' : undefined,
    as: filters.shape === 'tree' ? 'tree' : undefined,
  };
}

export function Skills() {
  needCatalogue();
  const { rows, complete, loading, failure } = catalogue.value;
  const filters = filtersOf(route.value.query);
  const set = (change: Partial<Filters>): void => replaceQuery(queryOf({ ...filters, ...change }));
  const findings = useOwn('findings');
  const usage = useOwn('usage');
  const reviews = useOwn('reviews');
  const byFinding = useMemo(() => findingsBySkill(findings.data), [findings.data]);
  const used = useMemo(() => usageOf(usage.data), [usage.data]);
  const held = useMemo(() => heldSkills(reviews.data), [reviews.data]);
  const unread = useMemo(() => unreadFiles(findings.data), [findings.data]);
  const sources = useMemo(() => [...new Set(rows.map((row) => row.source))].sort(), [rows]);
  const categories = useMemo(() => [...new Set(rows.map((row) => row.category))].filter(Boolean).sort(), [rows]);
  const figures: Figures = {
    loads: used && ((row) => used.loads(row.id)),
    findings: findings.data ? (row) => (byFinding.get(row.callName) ?? byFinding.get(row.id))?.length ?? 0 : undefined,
  };
  const { text, source, category, state, sort, down } = filters;
  const shown = useMemo(() => sorted(chosen(rows, filters, figures), filters, figures), [rows, text, source, category, state, sort, down, used, byFinding]);

  return (
    <>
      <Heading title="Skills">
        <TabLinks
          label="Form of the list"
          current={filters.shape}
          tabs={[
            { id: 'table', label: 'Table' },
            { id: 'tree', label: 'Tree' },
          ]}
          href={(shape) => link('skills', '', queryOf({ ...filters, shape: shape === 'tree' ? 'tree' : 'table' }))}
        />
      </Heading>
      <form class="filters" role="search" aria-label="Filter skills" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Name, path or description</span>
          <input type="search" value={text} onInput={(event) => set({ text: event.currentTarget.value })} />
        </label>
        <Choice label="Source" value={source} options={sources} onChange={(value) => set({ source: value })} />
        {categories.length > 0 && <Choice label="Category" value={category} options={categories} onChange={(value) => set({ category: value })} />}
        {(figures.findings || figures.loads) && (
          <label>
            <span>State</span>
            <select value={state} onChange={(event) => set({ state: event.currentTarget.value })}>
              <option value="">Any</option>
              {figures.findings && <option value="findings">With findings</option>}
              {figures.loads && <option value="used">Used</option>}
              {used?.complete && <option value="unused">Never used</option>}
            </select>
          </label>
        )}
      </form>
      <p class="quiet" role="status">
        {complete ? `${plural(shown.length, 'skill')}${shown.length === rows.length ? '' : ` of ${count(rows.length)}`}.` : `${count(rows.length)} skills read, more to come…`}
      </p>
      {loading && <Notice>The server is still reading its skills. Those that are missing come into this list by themselves.</Notice>}
      <NotListed text={text.trim().toLowerCase()} held={held} unread={unread} />
      {failure && <Unavailable failure={failure} what="The list of skills" again={needCatalogue} />}
      {rows.length === 0 && !failure && !complete && <Loading what="the list of skills" />}
      {rows.length === 0 && complete && !loading && <Notice>This server serves no skill to you. Sources says where skills come from, and what is wrong with them.</Notice>}
      {shown.length > 0 && (filters.shape === 'table' ? <SkillTable rows={shown} filters={filters} figures={figures} categories={categories.length > 0} set={set} /> : <SkillTree rows={shown} filtered={text !== ''} />)}
    </>
  );
}

const maxNamed = 5;

// Explains why skills are not in the list: they are held back or cannot be read. It names those that match the
// visitor's filter.
function NotListed(props: { text: string; held: JsonObject[]; unread: JsonObject[] }) {
  const { text, held, unread } = props;
  const sought = (object: JsonObject, member: string): boolean => text !== '' && textOf(object, member).toLowerCase().includes(text);
  const waiting = held.filter((one) => sought(one, 'id')).slice(0, maxNamed);
  const broken = unread.filter((one) => sought(one, 'file')).slice(0, maxNamed);
  if (held.length + broken.length === 0) return null;
  return (
    <Notice tone="warning">
      {held.length > 0 && (
        <>
          {plural(held.length, 'skill is', 'skills are')} held back and {held.length === 1 ? 'is' : 'are'} not in this list. <a href={link('reviews')}>Reviews</a>
        </>
      )}
      {waiting.length + broken.length > 0 && (
        <ul class="plain">
          {waiting.map((one) => (
            <li key={textOf(one, 'id')}>
              <a href={link('review', textOf(one, 'id'))}>{oneLine(textOf(one, 'id'), 200)}</a> is held back: {oneLine(textOf(one, 'reason'), 300)}
            </li>
          ))}
          {broken.map((one, at) => (
            <li key={at}>
              {oneLine(`${textOf(one, 'file')}:${textOf(one, 'line')}`, 300)} cannot be read: {oneLine(messageOf(one), 300)} <a href={link('sources', '', { tab: 'findings' })}>Findings</a>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

interface Figures {
  loads: ((row: SkillRow) => number | undefined) | undefined;
  findings: ((row: SkillRow) => number) | undefined;
}

function chosen(rows: SkillRow[], filters: Filters, figures: Figures): SkillRow[] {
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => matches(row, filters, figures) && words.every((word) => row.searchable.includes(word)));
}

function matches(row: SkillRow, filters: Filters, figures: Figures): boolean {
  if (filters.source !== '' && row.source !== filters.source) return false;
  if (filters.category !== '' && row.category !== filters.category) return false;
  if (filters.state === 'findings' && figures.findings?.(row) === 0) return false;
  if (filters.state === 'used' && figures.loads && !figures.loads(row)) return false;
  if (filters.state === 'unused' && figures.loads?.(row) !== 0) return false;
  return true;
}

function sorted(rows: SkillRow[], filters: Filters, figures: Figures): SkillRow[] {
  const { sort } = filters;
  const value = (row: SkillRow): string | number => {
    if (sort === 'tokens') return row.tokens ?? -1;
    if (sort === 'loads') return figures.loads?.(row) ?? 0;
    if (sort === 'findings') return figures.findings?.(row) ?? 0;
    return sort === 'source' ? row.id : row[sort];
  };
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : one.row.id < other.row.id ? -1 : 1));
  if (filters.down) keyed.reverse();
  return keyed.map(({ row }) => row);
}

function Choice(props: { label: string; value: string; options: string[]; onChange: (value: string) => void }) {
  return (
    <label>
      <span>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <option value="">Any</option>
        {props.options.map((option) => (
          <option key={option} value={option}>
            {oneLine(option, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}

function SkillTable(props: { rows: SkillRow[]; filters: Filters; figures: Figures; categories: boolean; set: (change: Partial<Filters>) => void }) {
  const narrow = useMedia('(max-width: 700px)');
  const { rows, filters, figures, categories, set } = props;
  const columns: { key: SortKey; label: string; hint?: string }[] = [
    { key: 'name', label: 'Skill' },
    { key: 'source', label: 'Source' },
    ...(categories ? [{ key: 'category' as const, label: 'Category' }] : []),
    { key: 'tokens', label: 'Tokens', hint: 'Estimated: bytes / 4' },
    ...(figures.loads ? [{ key: 'loads' as const, label: 'Loads' }] : []),
    ...(figures.findings ? [{ key: 'findings' as const, label: 'Findings' }] : []),
  ];
  const sortBy = (key: SortKey): void => set({ sort: key, down: filters.sort === key ? !filters.down : key === 'tokens' || key === 'loads' || key === 'findings' });
  return (
    <div class={`grid ${categories ? 'with-category' : ''} figures-${columns.length - (categories ? 3 : 2)}`} role="grid" aria-label="Skills" aria-rowcount={rows.length + 1} aria-colcount={columns.length}>
      <div role="rowgroup">
        <div role="row" class="grid-row grid-head" aria-rowindex={1}>
          {columns.map((column) => (
            <div key={column.key} role="columnheader" class={`cell cell-${column.key}`} aria-sort={filters.sort === column.key ? (filters.down ? 'descending' : 'ascending') : undefined}>
              <button type="button" title={column.hint} onClick={() => sortBy(column.key)}>
                {column.label}
                <span aria-hidden="true">{filters.sort === column.key ? (filters.down ? ' ↓' : ' ↑') : ''}</span>
              </button>
            </div>
          ))}
        </div>
      </div>
      <VirtualList
        role="rowgroup"
        class="grid-rows"
        count={rows.length}
        rowHeight={narrow ? 64 : 36}
        row={({ index, tabIndex, style }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div key={row.uri} role="row" class="grid-row" aria-rowindex={index + 2} style={style}>
              <div role="gridcell" class="cell cell-name">
                <a href={link('skill', row.id)} data-row={index} tabIndex={tabIndex}>
                  {row.name}
                </a>
                <span class="description">{row.description}</span>
              </div>
              <div role="gridcell" class="cell cell-source" title={row.path}>
                {oneLine(row.source, 60)}
              </div>
              {categories && (
                <div role="gridcell" class="cell cell-category">
                  {row.category}
                </div>
              )}
              <div role="gridcell" class="cell cell-tokens">
                {count(row.tokens)}
              </div>
              {figures.loads && (
                <div role="gridcell" class="cell cell-loads">
                  {count(figures.loads(row))}
                </div>
              )}
              {figures.findings && (
                <div role="gridcell" class="cell cell-findings">
                  {figures.findings(row) > 0 ? count(figures.findings(row)) : ''}
                </div>
              )}
            </div>
          );
        }}
      />
    </div>
  );
}

// If a filter leaves at most this many skills, the tree shows all of its folders open.
const openAllUpTo = 500;

function SkillTree(props: { rows: SkillRow[]; filtered: boolean }) {
  const tree = useMemo(() => treeOf(props.rows), [props.rows]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(tree.length <= 5 ? tree.map((folder) => folder.key) : []));
  const all = useMemo(() => (props.filtered && props.rows.length <= openAllUpTo ? everyFolder(tree) : undefined), [tree, props.filtered]);
  const lines = useMemo(() => linesOf(tree, all ?? open), [tree, open, all]);
  const toggle = (key: string, now: boolean): void => {
    const next = new Set(open);
    if (now) next.add(key);
    else next.delete(key);
    setOpen(next);
  };
  const onKey = (event: KeyboardEvent, index: number): number | undefined => {
    const line = lines[index];
    if (!line) return undefined;
    const isOpen = line.folder !== undefined && (all ?? open).has(line.folder.key);
    if (event.key === 'ArrowRight' && line.folder) {
      if (isOpen) return index + 1;
      toggle(line.folder.key, true);
      return index;
    }
    if (event.key === 'ArrowLeft') {
      if (line.folder && isOpen) {
        toggle(line.folder.key, false);
        return index;
      }
      for (let at = index - 1; at >= 0; at -= 1) if ((lines[at]?.level ?? 0) < line.level) return at;
      return index;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      if (line.folder) toggle(line.folder.key, !isOpen);
      else if (line.skill) location.hash = link('skill', line.skill.id);
      return index;
    }
    return undefined;
  };
  return (
    <div class="grid">
      <VirtualList
        role="tree"
        label="Skills by source and folder"
        class="grid-rows"
        count={lines.length}
        rowHeight={32}
        onKey={onKey}
        row={({ index, tabIndex, style }) => {
          const line = lines[index];
          return line && <TreeItem key={line.key} line={line} index={index} tabIndex={tabIndex} style={style} open={line.folder !== undefined && (all ?? open).has(line.folder.key)} toggle={toggle} />;
        }}
      />
    </div>
  );
}

function everyFolder(tree: ReturnType<typeof treeOf>): ReadonlySet<string> {
  const keys = new Set<string>();
  const add = (folders: typeof tree): void => folders.forEach((folder) => (keys.add(folder.key), add(folder.folders)));
  add(tree);
  return keys;
}

function TreeItem(props: { line: TreeLine; index: number; tabIndex: 0 | -1; style: { height: string; transform: string }; open: boolean; toggle: (key: string, now: boolean) => void }) {
  const { line, open } = props;
  const { folder, skill } = line;
  return (
    <div
      role="treeitem"
      class={`tree-line level-${Math.min(line.level, 8)}`}
      style={props.style}
      data-row={props.index}
      tabIndex={props.tabIndex}
      aria-level={line.level}
      aria-posinset={line.position}
      aria-setsize={line.siblings}
      aria-expanded={folder ? open : undefined}
      onClick={() => (folder ? props.toggle(folder.key, !open) : skill && (location.hash = link('skill', skill.id)))}
    >
      <span class="arrow" aria-hidden="true">
        {folder ? (open ? '▾' : '▸') : ''}
      </span>
      {folder ? (
        <span>
          {oneLine(folder.name, 120)} <span class="quiet">{count(folder.count)}</span>
        </span>
      ) : (
        <span class="leaf">
          <span class="leaf-name">{skill?.name}</span> <span class="description">{skill?.description}</span>
        </span>
      )}
    </div>
  );
}
