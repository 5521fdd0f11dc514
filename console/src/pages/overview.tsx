// SPDX-License-Identifier: Apache-2.0
// Shows the state of the server, its current load, and the problems that need attention.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failureOfSource, heldSkills, listOf, numberIn, textOf } from '../data/joined';
import { client, live, revision, serverName } from '../data/server';
import { isObject, type JsonObject } from '../mcp/messages';
import { bytes, count, duration, milliseconds, plural } from '../text/format';
import { oneLine } from '../text/visible';
import { useOwn, useQuery } from '../ui/hooks';
import { Badge, Figure, Loading, Notice, Panel, Stale, Table, Unavailable, type Tone } from '../ui/parts';
import { Plot } from '../ui/plot';
import { link } from '../ui/router';
import { Heading } from '../ui/shell';

// The server audits each read of the metrics, so the page does not read them more often than a person would.
const everyMs = 10_000;
const maxSamples = 180; // samples in half an hour

interface Samples {
  times: number[];
  requests: (number | null)[]; // per second
  slowest: (number | null)[]; // p95 in ms of the slowest tool
}

// The samples outlive this view, so that the plot has no gap when the visitor returns from another page.
const samples = signal<Samples>({ times: [], requests: [], slowest: [] });
let previous: { at: number; requests: number; uptime: number } | undefined;

function sample(stats: JsonObject): void {
  const now = Date.now() / 1000;
  const requests = numberIn(stats, 'requests');
  if (requests === undefined) return; // the server does not show sums over all skills to every manager
  const uptime = numberIn(stats, 'uptime_s') ?? 0;
  const before = previous;
  previous = { at: now, requests, uptime };
  if (!before || now - before.at < 1) return;
  const restarted = uptime < before.uptime;
  const rate = restarted ? null : Math.max(0, requests - before.requests) / (now - before.at);
  const slowest = Math.max(...tools(stats).map((tool) => numberIn(tool.figures, 'p95_ms') ?? 0), 0);
  const { times, requests: rates, slowest: waits } = samples.value;
  samples.value = { times: [...times, now].slice(-maxSamples), requests: [...rates, rate].slice(-maxSamples), slowest: [...waits, slowest].slice(-maxSamples) };
}

function tools(stats: JsonObject): { name: string; figures: JsonObject }[] {
  const all = isObject(stats['tools']) ? stats['tools'] : {};
  return Object.entries(all)
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    .map(([name, figures]) => ({ name, figures }));
}

function failuresOf(figures: JsonObject): number {
  const failures = isObject(figures['failures']) ? figures['failures'] : {};
  return Object.values(failures).reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : 0), 0);
}

export function Overview() {
  const stats = useOwn('stats', everyMs);
  const sources = useOwn('sources', everyMs * 6);
  const reviews = useOwn('reviews');
  const findings = useOwn('findings');
  useEffect(() => {
    if (stats.data) sample(stats.data);
  }, [stats.data]);
  const { data, failure } = stats;
  return (
    <>
      <Heading title="Overview" />
      <Stale failure={failure} data={data} what="The figures" />
      {failure && !data && <Reader failure={failure} again={stats.again} />}
      {!data && !failure && <Loading what="the figures" />}
      {data && (
        <>
          <Health stats={data} />
          <Decisions stats={data} sources={sources.data} reviews={reviews.data} findings={findings.data} />
          {isObject(data['tools']) && <Now stats={data} />}
          <Sources stats={data} sources={sources.data} />
          <Plugins stats={data} />
        </>
      )}
    </>
  );
}

// Replaces the metrics for visitors who are no managers: it shows what they can use.
function Reader(props: { failure: Parameters<typeof Unavailable>[0]['failure']; again: () => void }) {
  const capabilities = useQuery('server/discover', (signal) => client.request('server/discover', {}, { signal }), { revision: revision.tools.value });
  const declared = isObject(capabilities.data?.['capabilities']) ? capabilities.data['capabilities'] : {};
  return (
    <>
      <Unavailable failure={props.failure} what="Figures of the server" again={props.again} />
      {capabilities.data && (
        <Panel title="What you have here">
          <p>
            {oneLine(serverName.value?.name ?? 'This server', 60)} serves you {Object.keys(declared).join(', ')}. See <a href={link('skills')}>the skills</a>, <a href={link('search')}>search them</a>, or <a href={link('try')}>try a tool</a>.
          </p>
        </Panel>
      )}
    </>
  );
}

function Health(props: { stats: JsonObject }) {
  const { stats } = props;
  const catalogue = isObject(stats['catalogue']) ? stats['catalogue'] : {};
  const process = isObject(stats['process']) ? stats['process'] : {};
  const cache = isObject(stats['cache']) ? stats['cache'] : {};
  const pressure = textOf(cache, 'pressureLevel');
  return (
    <dl class="figures">
      <Figure label="Server" value={live.value.kind === 'waiting' ? 'Away' : 'Running'} note={`for ${duration(numberIn(stats, 'uptime_s'))}`} tone={live.value.kind === 'waiting' ? 'bad' : 'good'} />
      <Figure label="Skills" value={<a href={link('skills')}>{count(numberIn(catalogue, 'skills'))}</a>} note={plural(listOf(stats, 'sources').length, 'source')} />
      {numberIn(stats, 'requests') !== undefined && <Figure label="Requests" value={count(numberIn(stats, 'requests'))} note="since the start" />}
      <Figure label="Memory" value={bytes(numberIn(process, 'resident_bytes'))} note={plural(numberIn(process, 'threads') ?? 0, 'thread')} />
      {isObject(stats['cache']) && <Figure label="Cache" value={bytes(numberIn(cache, 'currentSizeBytes'))} note={`of ${bytes(numberIn(cache, 'maxSizeBytes'))}, pressure ${pressure || 'unknown'}`} tone={pressure === 'high' || pressure === 'critical' ? 'warning' : 'plain'} />}
    </dl>
  );
}

function Decisions(props: { stats: JsonObject; sources: JsonObject | undefined; reviews: JsonObject | undefined; findings: JsonObject | undefined }) {
  const { stats } = props;
  const sources = listOf(props.sources, 'sources').length > 0 ? listOf(props.sources, 'sources') : listOf(stats, 'sources');
  const failing = sources.filter((source) => textOf(source, 'failure') !== '');
  const plugins = listOf(stats, 'plugins').filter((plugin) => !['loaded', 'found', ''].includes(textOf(plugin, 'state')) && !failing.some((source) => textOf(source, 'name') === textOf(plugin, 'instance')));
  const held = heldSkills(props.reviews);
  const errors = listOf(props.findings, 'findings').filter((finding) => textOf(finding, 'severity') === 'error');
  const problem = textOf(props.reviews, 'problem');
  const nothing = failing.length + plugins.length + held.length + errors.length === 0 && problem === '';
  return (
    <Panel title="What needs you">
      {nothing && <p class="quiet">Nothing. Every source answers, and no skill waits for a decision.</p>}
      <ul class="plain">
        {held.length > 0 && (
          <li>
            <Badge tone="accent">review</Badge> <a href={link('reviews')}>{plural(held.length, 'skill waits', 'skills wait')} for a decision</a> and {held.length === 1 ? 'is' : 'are'} not served until then.
          </li>
        )}
        {problem !== '' && (
          <li>
            <Badge tone="bad">reviews</Badge> {oneLine(problem, 400)}
          </li>
        )}
        {failing.map((source) => (
          <li key={textOf(source, 'name')}>
            <Badge tone="bad">source</Badge> <a href={link('sources')}>{oneLine(textOf(source, 'name'), 80)}</a>: {oneLine(failureOfSource(source), 400)}
          </li>
        ))}
        {plugins.map((plugin, at) => (
          <li key={at}>
            <Badge tone="bad">plugin</Badge> {oneLine(textOf(plugin, 'instance', 'id', 'file'), 160)} is {textOf(plugin, 'state')}
            {textOf(plugin, 'reason') && `: ${oneLine(textOf(plugin, 'reason'), 400)}`}
          </li>
        ))}
        {errors.length > 0 && (
          <li>
            <Badge tone="warning">findings</Badge> <a href={link('sources', '', { tab: 'findings' })}>{plural(errors.length, 'skill file has an error', 'errors in files of skills')}</a>; what cannot be read is not served.
          </li>
        )}
      </ul>
    </Panel>
  );
}

function Now(props: { stats: JsonObject }) {
  const { times, requests, slowest } = samples.value;
  const time = (seconds: number): string => new Date(seconds * 1000).toLocaleTimeString('en-GB');
  const rows = tools(props.stats).filter((tool) => (numberIn(tool.figures, 'count') ?? 0) > 0);
  return (
    <Panel title="Calls and latency">
      <div class="pair">
        <Plot label="Requests a second" times={times} series={[{ label: 'requests/s', values: requests }]} format={(value) => (Math.round(value * 10) / 10).toString()} time={time} />
        <Plot label="Slowest tool, 95th percentile" times={times} series={[{ label: 'p95', values: slowest }]} format={milliseconds} time={time} />
      </div>
      <Table
        label="Tools"
        empty="No tool was called since the server started."
        rows={rows}
        columns={[
          { head: 'Tool', cell: (tool) => <code>{oneLine(tool.name, 80)}</code> },
          { head: 'Calls', numeric: true, cell: (tool) => count(numberIn(tool.figures, 'count')) },
          { head: 'Failures', numeric: true, cell: (tool) => count(failuresOf(tool.figures)) },
          { head: 'p50', numeric: true, cell: (tool) => milliseconds(numberIn(tool.figures, 'p50_ms')) },
          { head: 'p95', numeric: true, cell: (tool) => milliseconds(numberIn(tool.figures, 'p95_ms')) },
          { head: 'p99', numeric: true, cell: (tool) => milliseconds(numberIn(tool.figures, 'p99_ms')) },
          { head: 'Longest', numeric: true, cell: (tool) => milliseconds(numberIn(tool.figures, 'max_ms')) },
        ]}
      />
    </Panel>
  );
}

export function stateTone(state: string): Tone {
  if (/fail|broken|incompatible/.test(state)) return 'bad';
  if (/degraded|stale|absent|unconfigured/.test(state)) return 'warning';
  return /^(loaded|ok)$/.test(state) ? 'good' : 'plain';
}

function Sources(props: { stats: JsonObject; sources: JsonObject | undefined }) {
  const rows = listOf(props.sources, 'sources').length > 0 ? listOf(props.sources, 'sources') : listOf(props.stats, 'sources');
  return (
    <Panel title="Sources" aside={<a href={link('sources')}>All about the sources</a>}>
      <Table
        label="Sources"
        empty="No source is configured."
        rows={rows}
        columns={[
          { head: 'Source', cell: (source) => <a href={link('skills', '', { source: textOf(source, 'name') })}>{oneLine(textOf(source, 'name'), 80)}</a> },
          { head: 'State', cell: (source) => <SourceState source={source} /> },
          { head: 'Skills', numeric: true, cell: (source) => count(numberIn(source, 'skills')) },
          { head: 'Says', wide: true, cell: (source) => oneLine(failureOfSource(source), 300) },
        ]}
      />
    </Panel>
  );
}

export function SourceState(props: { source: JsonObject }) {
  const state = textOf(props.source, 'state') || (textOf(props.source, 'failure') ? 'failed' : 'ok');
  return <Badge tone={textOf(props.source, 'failure') ? 'bad' : stateTone(state)}>{state.replace(/_/g, ' ')}</Badge>;
}

function Plugins(props: { stats: JsonObject }) {
  const rows = listOf(props.stats, 'plugins').filter((plugin) => textOf(plugin, 'state') !== 'found');
  const figures = (plugin: JsonObject): JsonObject => (isObject(plugin['call']) ? plugin['call'] : {});
  return (
    <Panel title="Plugins">
      <Table
        label="Plugins"
        empty="No plugin is loaded."
        rows={rows}
        columns={[
          { head: 'Instance', cell: (plugin) => oneLine(textOf(plugin, 'instance') || fileName(textOf(plugin, 'file')), 100) },
          { head: 'Plugin', cell: (plugin) => <code>{oneLine(`${textOf(plugin, 'id')} ${textOf(plugin, 'version')}`, 100)}</code> },
          { head: 'State', cell: (plugin) => <Badge tone={stateTone(textOf(plugin, 'state'))}>{textOf(plugin, 'state')}</Badge> },
          { head: 'Calls', numeric: true, cell: (plugin) => count(numberIn(plugin, 'calls')) },
          { head: 'Failures', numeric: true, cell: (plugin) => count(failuresOf(plugin)) },
          { head: 'Restarts', numeric: true, cell: (plugin) => count(numberIn(plugin, 'restarts') ?? 0) },
          { head: 'p95', numeric: true, cell: (plugin) => milliseconds(numberIn(figures(plugin), 'p95_ms')) },
        ]}
      />
      {rows.length === 0 && <Notice>Plugins are told to those who see every skill.</Notice>}
    </Panel>
  );
}

function fileName(path: string): string {
  return path.split('/').pop() ?? path;
}
