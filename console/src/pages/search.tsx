// SPDX-License-Identifier: Apache-2.0
// Shows the skills that a search finds for a task, explains the ranking, and compares it with the results of other
// settings.

import { useState } from 'preact/hooks';
import { listOf, numberIn, textOf } from '../data/joined';
import { callTool, client, revision } from '../data/server';
import { isObject, type Json, type JsonObject, type Tool } from '../mcp/messages';
import { propertiesOf } from '../text/schema';
import { count, plural } from '../text/format';
import { oneLine } from '../text/visible';
import { useQuery } from '../ui/hooks';
import { Field, Loading, Notice, Panel, Unavailable } from '../ui/parts';
import { link, replaceQuery, route } from '../ui/router';
import { SchemaField } from '../ui/schema_form';
import { Heading } from '../ui/shell';
import { JsonView } from '../ui/text_view';

const toolName = 'find_helpful_skills';

// Settings of one side, without the task.
type Settings = JsonObject;

export function Search() {
  const tools = useQuery('tools/list', (signal) => client.all<Tool>('tools/list', 'tools', { signal }), { revision: revision.tools.value });
  const tool = tools.data?.find((one) => one.name === toolName);
  const asked = route.value.query.get('task') ?? '';
  const [task, setTask] = useState(asked);
  const [sides, setSides] = useState<Settings[]>([{ top_k: 10 }]);
  const [run, setRun] = useState({ number: 0, sides });
  if (tools.failure) return <WithHeading content={<Unavailable failure={tools.failure} what="Search" again={tools.again} />} />;
  if (!tools.data) return <WithHeading content={<Loading what="the tools" />} />;
  if (!tool) return <WithHeading content={<Notice tone="warning">This server offers you no tool {toolName}. It may offer each skill as a tool of its own: see Try.</Notice>} />;
  const settings = propertiesOf(tool.inputSchema).filter((property) => property.name !== 'task_description' && property.name !== 'list_documents');
  const submit = (event: Event): void => {
    event.preventDefault();
    replaceQuery({ task });
    setRun({ number: run.number + 1, sides });
  };
  return (
    <WithHeading
      content={
        <>
          <form onSubmit={submit} role="search" aria-label="Search skills">
            <Field label="Task" hint="What is to be done, in the words of whoever has to do it.">
              {({ id, describedBy }) => <input id={id} type="search" required value={task} aria-describedby={describedBy} onInput={(event) => setTask(event.currentTarget.value)} />}
            </Field>
            <div class="pair">
              {sides.map((side, at) => (
                <fieldset key={at} class="filters">
                  <legend>{sides.length === 1 ? 'Settings' : at === 0 ? 'Left' : 'Right'}</legend>
                  {settings.map((property) => (
                    <SchemaField
                      key={property.name}
                      name={property.name}
                      schema={property.schema}
                      required={property.required}
                      value={side[property.name]}
                      path={[property.name]}
                      problems={[]}
                      depth={1}
                      brief
                      onChange={(value) => setSides(sides.map((one, other) => (other === at ? withSetting(one, property.name, value) : one)))}
                    />
                  ))}
                </fieldset>
              ))}
            </div>
            <p class="row">
              <button type="submit" class="primary">
                Search
              </button>
              <button type="button" onClick={() => setSides(sides.length === 1 ? [...sides, { ...sides[0] }] : sides.slice(0, 1))}>
                {sides.length === 1 ? 'Compare with other settings' : 'One column'}
              </button>
            </p>
          </form>
          {asked !== '' && (
            <div class={run.sides.length > 1 ? 'pair' : ''}>
              {run.sides.map((side, at) => (
                <Hits key={at} task={asked} settings={side} number={run.number} title={run.sides.length === 1 ? 'Hits' : at === 0 ? 'Hits, left' : 'Hits, right'} />
              ))}
            </div>
          )}
        </>
      }
    />
  );
}

function withSetting(settings: Settings, name: string, value: Json | undefined): Settings {
  const changed = { ...settings };
  if (value === undefined || value === '') delete changed[name];
  else changed[name] = value;
  return changed;
}

function WithHeading(props: { content: preact.ComponentChildren }) {
  return (
    <>
      <Heading title="Search" />
      {props.content}
    </>
  );
}

function Hits(props: { task: string; settings: Settings; number: number; title: string }) {
  const { task, settings } = props;
  const answer = useQuery(`search:${task}:${JSON.stringify(settings)}`, (signal) => callTool(toolName, { ...settings, task_description: task }, { signal }), {
    revision: props.number + revision.resources.value,
  });
  const hits = listOf(answer.data?.data, 'results');
  const best = Math.max(...hits.map((hit) => numberIn(hit, 'score') ?? 0), 0);
  return (
    <Panel title={props.title}>
      {answer.failure && <Unavailable failure={answer.failure} what="The search" again={answer.again} />}
      {!answer.data && !answer.failure && <Loading what="the hits" />}
      {answer.data?.notice !== undefined && <Notice tone="warning">{oneLine(answer.data.notice, 600)}</Notice>}
      {answer.data && (
        <>
          <p class="quiet" role="status">
            {plural(hits.length, 'hit')} for “{oneLine(task, 200)}”.{hits.length === 0 && ' No skill fits: perhaps one is to be written.'}
          </p>
          <ol class="hits">
            {hits.map((hit, at) => (
              <Hit key={at} hit={hit} best={best} />
            ))}
          </ol>
        </>
      )}
    </Panel>
  );
}

function idOf(hit: JsonObject): string | undefined {
  const match = /^skill:\/\/(.+)\/SKILL\.md$/.exec(textOf(hit, 'uri'));
  if (!match?.[1]) return undefined;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return match[1];
  }
}

function Hit(props: { hit: JsonObject; best: number }) {
  const { hit } = props;
  const id = idOf(hit);
  const score = numberIn(hit, 'score');
  const explanation = hit['explanation'];
  const name = oneLine(textOf(hit, 'title', 'name'), 120);
  return (
    <li>
      <p class="hit-head">
        {id === undefined ? <strong>{name}</strong> : <a href={link('skill', id)}>{name}</a>}
        <span class="quiet"> {oneLine(textOf(hit, 'source'), 60)}</span>
        {score !== undefined && (
          <span class="score">
            <meter min={0} max={Math.max(props.best, 1)} value={score} aria-label={`Score of ${name}`} />
            {score.toFixed(3)}
          </span>
        )}
      </p>
      <p>{oneLine(textOf(hit, 'description'), 400)}</p>
      {textOf(hit, 'snippet') !== '' && <p class="quiet">Found at: {oneLine(textOf(hit, 'snippet'), 400)}</p>}
      <details>
        <summary>Why, and what it costs</summary>
        <p>
          {count(numberIn(hit, 'estimated_tokens'))} tokens (estimate){Array.isArray(hit['documents']) && hit['documents'].length > 0 && `; files: ${oneLine(hit['documents'].join(', '), 600)}`}
        </p>
        {isObject(explanation) || Array.isArray(explanation) ? (
          <JsonView value={explanation} label={`Explanation of ${name}`} />
        ) : typeof explanation === 'string' ? (
          <p>{oneLine(explanation, 2000)}</p>
        ) : (
          <p class="quiet">
            The server tells no more over MCP. <code>skillhost search --explain</code> prints what each word adds.
          </p>
        )}
      </details>
    </li>
  );
}
