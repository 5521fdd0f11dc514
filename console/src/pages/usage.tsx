// SPDX-License-Identifier: Apache-2.0
// Shows usage by skill, client, principal and day, and lists unused skills, failures, and searches without a result.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { listOf, numberIn, textOf } from '../data/joined';
import type { JsonObject } from '../mcp/messages';
import { clock, count, milliseconds, timeOf } from '../text/format';
import { oneLine } from '../text/visible';
import { useOwn } from '../ui/hooks';
import { Figure, Loading, Notice, Panel, Stale, Table, TabLinks, Unavailable, When, type Column } from '../ui/parts';
import { Plot } from '../ui/plot';
import { link, route } from '../ui/router';
import { Heading } from '../ui/shell';

const tabs = [
  ['skill', 'By skill'],
  ['client', 'By client'],
  ['principal', 'By principal'],
  ['day', 'By day'],
  ['unused', 'Never used'],
  ['failing', 'Failing'],
  ['not-found', 'Not found'],
] as const;

export function Usage() {
  const usage = useOwn('usage', 60_000);
  const { data, failure } = usage;
  return (
    <>
      <Heading title="Usage" />
      <Stale failure={failure} data={data} what="Usage" />
      {failure && !data && <Unavailable failure={failure} what="Usage" again={usage.again} />}
      {!data && !failure && <Loading what="usage" />}
      {data && data['enabled'] === false && <Notice>This server does not record usage: its configuration has switched it off.</Notice>}
      {data && data['enabled'] !== false && <Figures data={data} />}
    </>
  );
}

function Figures(props: { data: JsonObject }) {
  const { data } = props;
  const totals = typeof data['totals'] === 'object' ? (data['totals'] as JsonObject) : {};
  const tab = route.value.query.get('by') ?? 'skill';
  const since = timeOf(data['since']);
  const replica = textOf(data, 'replica');
  return (
    <>
      {replica !== '' && <Notice>These are the figures of replica {oneLine(replica, 100)} alone. The command skillhost usage FILE… adds up the files of all replicas.</Notice>}
      <p class="quiet">
        {since ? <>Since {clock(since).slice(0, 10)}, <When time={since} />.</> : 'Since recording began.'}
      </p>
      <dl class="figures">
        <Figure label="Loads" value={count(numberIn(totals, 'loads'))} note={`${count(numberIn(totals, 'unchanged') ?? 0)} told unchanged`} />
        <Figure label="Files read" value={count(numberIn(totals, 'reads'))} />
        <Figure label="Searches" value={count(numberIn(totals, 'searches'))} note={`${count(numberIn(totals, 'nothing_found') ?? 0)} found nothing`} />
        <Figure label="Refusals" value={count(numberIn(totals, 'refusals'))} />
        <Figure label="Failures" value={count(numberIn(totals, 'failures'))} tone={(numberIn(totals, 'failures') ?? 0) > 0 ? 'warning' : 'plain'} />
        <Figure label="Mean latency" value={milliseconds((numberIn(totals, 'mean_us') ?? NaN) / 1000)} />
      </dl>
      <Days rows={listOf(data, 'days')} />
      <TabLinks
        label="Usage by"
        current={tab}
        tabs={tabs.map(([id, label]) => ({ id, label, ...(id === 'unused' ? { count: numberIn(data, 'unused_total') ?? listOf(data, 'unused').length } : {}) }))}
        href={(id) => link('usage', '', { by: id === 'skill' ? undefined : id })}
      />
      <Rows data={data} tab={tab} />
    </>
  );
}

function Days(props: { rows: JsonObject[] }) {
  const { times, series } = useMemo(() => {
    const rows = props.rows.filter((row) => timeOf(row['day'])).sort((one, other) => (textOf(one, 'day') < textOf(other, 'day') ? -1 : 1));
    const values = (member: string): number[] => rows.map((row) => numberIn(row, member) ?? 0);
    return {
      times: rows.map((row) => (timeOf(row['day'])?.getTime() ?? 0) / 1000),
      series: [
        { label: 'loads', values: values('loads') },
        { label: 'searches', values: values('searches') },
      ],
    };
  }, [props.rows]);
  if (times.length < 2) return null;
  return (
    <Panel title="Day by day">
      <Plot label="Loads and searches a day" times={times} series={series} format={(value) => count(Math.round(value))} time={(seconds) => new Date(seconds * 1000).toISOString().slice(0, 10)} />
    </Panel>
  );
}

const figureColumns: Column<JsonObject>[] = [
  { head: 'Loads', numeric: true, cell: (row) => count(numberIn(row, 'loads')) },
  { head: 'Files read', numeric: true, cell: (row) => count(numberIn(row, 'reads')) },
  { head: 'Searches', numeric: true, cell: (row) => count(numberIn(row, 'searches')) },
  { head: 'Refusals', numeric: true, cell: (row) => count(numberIn(row, 'refusals')) },
  { head: 'Failures', numeric: true, cell: (row) => count(numberIn(row, 'failures')) },
  { head: 'Mean', numeric: true, cell: (row) => milliseconds((numberIn(row, 'mean_us') ?? NaN) / 1000) },
  { head: 'Last', cell: (row) => <When time={timeOf(row['last'])} /> },
];

function skillCell(row: JsonObject): ComponentChildren {
  const id = textOf(row, 'id');
  const name = oneLine(textOf(row, 'name') || id, 120);
  return (
    <>
      {id === '' ? name : <a href={link('skill', id)}>{name}</a>} <span class="quiet">{oneLine(textOf(row, 'source'), 60)}</span>
    </>
  );
}

const skillColumns: Column<JsonObject>[] = [
  { head: 'Skill', wide: true, cell: skillCell },
  // On a phone only the first number columns are visible without scrolling, so the loads come first.
  ...figureColumns.filter((column) => column.head === 'Loads'),
  { head: 'Principals', numeric: true, cell: (row) => count(numberIn(row, 'principals')) },
  { head: 'Clients', numeric: true, cell: (row) => count(numberIn(row, 'clients')) },
  ...figureColumns.filter((column) => column.head !== 'Searches' && column.head !== 'Loads'),
];

function named(head: string, member: string): Column<JsonObject> {
  return { head, wide: true, cell: (row) => oneLine(textOf(row, member) || 'not named', 300) };
}

function Rows(props: { data: JsonObject; tab: string }) {
  const { data, tab } = props;
  const wanted = route.value.query.get('skill');
  const skills = listOf(data, 'skills');
  switch (tab) {
    case 'client':
      return <Table label="Usage by client" empty="No client has used anything." rows={listOf(data, 'clients')} columns={[named('Client', 'client'), ...figureColumns]} />;
    case 'principal':
      return (
        <>
          <p class="quiet">A principal is told as a keyed hash, unless the server is configured to write names.</p>
          <Table label="Usage by principal" empty="Nobody has used anything." rows={listOf(data, 'principals')} columns={[named('Principal', 'principal'), ...figureColumns]} />
        </>
      );
    case 'day':
      return <Table label="Usage by day" empty="No day has figures." rows={listOf(data, 'days')} columns={[named('Day', 'day'), ...figureColumns]} />;
    case 'unused':
      return (
        <Table
          label="Skills that were never used"
          empty="Every skill was used."
          rows={listOf(data, 'unused')}
          columns={[
            { head: 'Skill', wide: true, cell: skillCell },
            { head: 'Id', wide: true, cell: (row) => <code>{oneLine(textOf(row, 'id'), 200)}</code> },
          ]}
        />
      );
    case 'failing':
      return <Table label="Skills with failures" empty="Nothing has failed." rows={listOf(data, 'failing')} columns={skillColumns} />;
    case 'not-found':
      return (
        <>
          <p class="quiet">Searches without a hit and names that no skill has: what to write next.</p>
          <Table
            label="What was asked for and not found"
            empty="Everything that was asked for was found, or queries are not recorded."
            rows={listOf(data, 'not_found')}
            columns={[named('Asked for', 'asked'), { head: 'Times', numeric: true, cell: (row) => count(numberIn(row, 'nothing_found') || numberIn(row, 'searches') || numberIn(row, 'failures')) }, { head: 'Last', cell: (row) => <When time={timeOf(row['last'])} /> }]}
          />
        </>
      );
    default:
      return wanted === null ? <Table label="Usage by skill" empty="No skill was used." rows={skills} columns={skillColumns} /> : <OneSkill id={wanted} row={skills.find((row) => textOf(row, 'id') === wanted)} all={skills.length} />;
  }
}

// Shows who used one skill.
function OneSkill(props: { id: string; row: JsonObject | undefined; all: number }) {
  const { id, row } = props;
  return (
    <>
      <p>
        Only <a href={link('skill', id)}>{oneLine(id, 200)}</a>. <a href={link('usage')}>All skills</a>
      </p>
      {row ? (
        <>
          <Table label="Usage of the skill" empty="" rows={[row]} columns={skillColumns} />
          <h2>Who used it</h2>
          <Table
            label="Who used it"
            empty="The server does not write down who."
            rows={listOf(row, 'used_by')}
            columns={[named('Principal', 'principal'), { head: 'Times', numeric: true, cell: (user) => count(numberIn(user, 'count')) }, { head: 'Last', cell: (user) => <When time={timeOf(user['last'])} /> }]}
          />
        </>
      ) : (
        <p class="quiet">It is not among the {count(props.all)} skills that were used most. “Never used” has those that nobody used.</p>
      )}
    </>
  );
}
