// SPDX-License-Identifier: Apache-2.0
// Shows each source: when it was last asked and when it will be asked next, what has changed, and what is wrong.

import { useState } from 'preact/hooks';
import { failureOfSource, heldSkills, listOf, numberIn, textOf } from '../data/joined';
import { announcement, callTool } from '../data/server';
import { failureOf, type Failure } from '../mcp/failure';
import { isObject, type Json, type JsonObject } from '../mcp/messages';
import { count, plural, timeOf } from '../text/format';
import { oneLine } from '../text/visible';
import { useOwn } from '../ui/hooks';
import { Figure, Loading, Notice, Panel, Stale, Table, TabLinks, Unavailable, When } from '../ui/parts';
import { link, route } from '../ui/router';
import { Heading } from '../ui/shell';
import { SourceState } from './overview';
import { FindingTable } from './skill';

export function Sources() {
  const tab = route.value.query.get('tab') ?? 'sources';
  const sources = useOwn('sources', 60_000);
  const stats = useOwn('stats');
  const reviews = useOwn('reviews');
  const held = heldSkills(reviews.data).map((one) => textOf(one, 'id'));
  const { failure } = sources;
  // A server without this resource still reports a minimum about its sources in its metrics.
  const data = sources.data ?? (failure?.kind === 'missing' ? stats.data : undefined);
  return (
    <>
      <Heading title="Sources">
        <Refresh again={sources.again} />
      </Heading>
      <TabLinks
        label="About the sources"
        current={tab}
        tabs={[
          { id: 'sources', label: 'Sources' },
          { id: 'findings', label: 'Findings' },
          { id: 'audit', label: 'Audit' },
        ]}
        href={(id) => link('sources', '', { tab: id === 'sources' ? undefined : id })}
      />
      {tab === 'findings' && <AllFindings />}
      {tab === 'audit' && <Audit />}
      {tab === 'sources' && (
        <>
          <Stale failure={sources.data ? failure : undefined} data={data} what="The sources" />
          {failure && !data && <Unavailable failure={failure} what="Sources" again={sources.again} />}
          {!data && !failure && <Loading what="the sources" />}
          {data && listOf(data, 'sources').map((source) => <Source key={textOf(source, 'name')} source={source} held={held.filter((id) => id.startsWith(`${textOf(source, 'name')}/`)).length} />)}
          {data && listOf(data, 'sources').length === 0 && <Notice>No source is configured.</Notice>}
        </>
      )}
    </>
  );
}

function Refresh(props: { again: () => void }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [answer, setAnswer] = useState<JsonObject>();
  const refresh = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { data } = await callTool('reload_skills_directory', {});
      setAnswer(data);
      announcement.value = textOf(data, 'message');
      props.again();
    } catch (reason) {
      setFailure(failureOf(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void refresh()} disabled={busy}>
        {busy ? 'Asking the sources…' : 'Refresh now'}
      </button>
      {failure && <Unavailable failure={failure} what="The refresh" />}
      {answer && (
        <Notice tone={listOf(answer, 'failures').length > 0 ? 'warning' : 'good'} live>
          {oneLine(textOf(answer, 'message'), 1000)}
        </Notice>
      )}
    </>
  );
}

function Source(props: { source: JsonObject; held: number }) {
  const { source } = props;
  const name = textOf(source, 'name');
  const reported = isObject(source['reported']) ? Object.entries(source['reported']) : [];
  const changes = listOf(source, 'changes').slice().reverse();
  const followed = source['changes'] !== undefined; // the server sends changes only to visitors who see every skill
  return (
    <Panel title={oneLine(name, 120)} aside={<SourceState source={source} />}>
      {textOf(source, 'failure') !== '' && (
        <Notice tone="bad">
          {oneLine(failureOfSource(source), 1000)}
          {textOf(source, 'state') === 'stale' && ' What was known last is served.'}
        </Notice>
      )}
      <dl class="figures small">
        <Figure label="Skills" value={<a href={link('skills', '', { source: name })}>{count(numberIn(source, 'skills'))}</a>} />
        {props.held > 0 && <Figure label="Held back" value={<a href={link('reviews')}>{count(props.held)}</a>} />}
        {followed && <Figure label="Last look" value={<When time={timeOf(source['looked_at'])} />} />}
        {followed && <Figure label="Last answer" value={<When time={timeOf(source['answered_at'])} />} />}
        {followed && <Figure label="Next look" value={timeOf(source['next_at']) ? <When time={timeOf(source['next_at'])} /> : 'when it changes'} />}
        {textOf(source, 'revision') !== '' && <Figure label="Revision" value={<code title={textOf(source, 'revision')}>{oneLine(textOf(source, 'revision').slice(0, 12), 20)}</code>} />}
        {reported.map(([key, value]) => (
          <Figure key={key} label={oneLine(key.replace(/_/g, ' '), 40)} value={reportedValue(key, value)} />
        ))}
      </dl>
      {changes.length > 0 && <h3>Last changes</h3>}
      <ol class="changes">
        {changes.map((change, at) => (
          <Change key={at} change={change} />
        ))}
      </ol>
      {changes.length === 0 && source['changes'] !== undefined && <p class="quiet">Nothing has changed since the server started.</p>}
    </Panel>
  );
}

function reportedValue(key: string, value: Json) {
  if (typeof value !== 'number') return oneLine(JSON.stringify(value), 100);
  return /_(timestamp|at)$/.test(key) ? <When time={timeOf(value)} /> : count(value);
}

function Change(props: { change: JsonObject }) {
  const { change } = props;
  const kinds = [
    ['added', 'added', '+'],
    ['changed', 'changed', '±'],
    ['removed', 'removed', '−'],
  ] as const;
  const list = (kind: string): { total: number; skills: string[] } => {
    const value = change[kind];
    const skills = isObject(value) && Array.isArray(value['skills']) ? value['skills'].filter((one): one is string => typeof one === 'string') : [];
    return { total: (isObject(value) ? numberIn(value, 'count') : undefined) ?? skills.length, skills };
  };
  const parts = kinds.map(([key, word, sign]) => ({ word, sign, ...list(key) })).filter((part) => part.total > 0);
  return (
    <li>
      <details>
        <summary>
          <When time={timeOf(change['at'])} />: {parts.length === 0 ? 'nothing that is served' : parts.map((part) => `${count(part.total)} ${part.word}`).join(', ')}{' '}
          <code class="quiet">
            {oneLine(textOf(change, 'revision_before').slice(0, 12), 20)} → {oneLine(textOf(change, 'revision').slice(0, 12), 20)}
          </code>
        </summary>
        {parts.map((part) => (
          <ul key={part.word} class={`plain ids ${part.word}`}>
            {part.skills.map((skill) => (
              <li key={skill}>
                <span aria-hidden="true">{part.sign} </span>
                <span class="visually-hidden">{part.word} </span>
                {part.word === 'removed' ? oneLine(skill, 200) : <a href={link('skill', skill)}>{oneLine(skill, 200)}</a>}
              </li>
            ))}
            {part.total > part.skills.length && <li class="quiet">and {plural(part.total - part.skills.length, 'other')}</li>}
          </ul>
        ))}
      </details>
    </li>
  );
}

function AllFindings() {
  const findings = useOwn('findings');
  const [level, setLevel] = useState('');
  const { data, failure } = findings;
  const rows = listOf(data, 'findings').filter((one) => level === '' || textOf(one, 'severity') === level);
  return (
    <Panel title="Findings" aside={<span class="quiet">{data && `${count(numberIn(data, 'total'))} in all`}</span>}>
      <p class="quiet">What is wrong or unwise in the files of skills. A skill that cannot be read is not served; here is why.</p>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Severity</span>
          <select value={level} onChange={(event) => setLevel(event.currentTarget.value)}>
            <option value="">Any</option>
            <option value="error">Error</option>
            <option value="warning">Warning</option>
            <option value="advice">Advice</option>
          </select>
        </label>
      </form>
      {failure && !data && <Unavailable failure={failure} what="Findings" again={findings.again} />}
      {!data && !failure && <Loading what="the findings" />}
      {data && <FindingTable findings={rows} />}
    </Panel>
  );
}

function Audit() {
  const audit = useOwn('audit', 60_000);
  const [looks, setLooks] = useState(false);
  const { data, failure } = audit;
  const events = listOf(data, 'events').filter((event) => looks || !(textOf(event, 'event') === 'managed' && textOf(event, 'method') === 'resources/read'));
  return (
    <Panel title="Audit">
      <label class="choice">
        <input type="checkbox" checked={looks} onChange={() => setLooks(!looks)} />
        With what managers have only looked at, such as by this page
      </label>
      {failure && !data && <Unavailable failure={failure} what="The audit" again={audit.again} />}
      {!data && !failure && <Loading what="the audit" />}
      {data && (
        <Table
          label="Events of the audit"
          empty="Nothing was written down since the server started, or you do not see all skills."
          rows={events.reverse()}
          columns={[
            { head: 'Time', cell: (event) => <When time={timeOf(event['time'])} /> },
            { head: 'Event', cell: (event) => <code>{oneLine(textOf(event, 'event', 'what'), 60)}</code> },
            { head: 'Subject', wide: true, cell: (event) => oneLine(textOf(event, 'subject'), 200) },
            { head: 'Principal', cell: (event) => oneLine(textOf(event, 'principal'), 100) },
            { head: 'Says', wide: true, cell: (event) => oneLine(textOf(event, 'reason', 'outcome'), 400) },
          ]}
        />
      )}
    </Panel>
  );
}
