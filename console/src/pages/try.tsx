// SPDX-License-Identifier: Apache-2.0
// Calls any tool, prompt or resource of the server. It makes a form from the schema, and shows the messages that were
// exchanged.

import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { catalogue, needCatalogue } from '../data/catalogue';
import { client, ownResources, revision } from '../data/server';
import type { Exchange } from '../mcp/client';
import { failureOf, type Failure } from '../mcp/failure';
import { isObject, type JsonObject, type Prompt, type Tool } from '../mcp/messages';
import { bytes, milliseconds } from '../text/format';
import { initialValue } from '../text/schema';
import { oneLine } from '../text/visible';
import { useQuery } from '../ui/hooks';
import { MarkdownView } from '../ui/markdown_view';
import { Badge, Field, Loading, Notice, Panel, TabLinks, Unavailable } from '../ui/parts';
import { link, replaceQuery, route } from '../ui/router';
import { SchemaForm } from '../ui/schema_form';
import { Heading } from '../ui/shell';
import { JsonView, TextView } from '../ui/text_view';

const kinds = [
  { id: 'tool', label: 'Tool' },
  { id: 'prompt', label: 'Prompt' },
  { id: 'resource', label: 'Resource' },
];

export function Try() {
  const kind = kinds.find((one) => one.id === route.value.rest)?.id ?? 'tool';
  return (
    <>
      <Heading title="Try">
        <TabLinks label="What to try" current={kind} tabs={kinds} href={(id) => link('try', id)} />
      </Heading>
      {kind === 'tool' && <TryTool />}
      {kind === 'prompt' && <TryPrompt />}
      {kind === 'resource' && <TryResource />}
    </>
  );
}

interface Run {
  exchange: Exchange | undefined;
  failure: Failure | undefined;
  result: JsonObject | undefined;
}

// Runs one request at a time. Another request, or leaving the page, cancels it.
function useRun(): { run: Run | undefined; busy: boolean; start: (method: string, params: JsonObject) => void } {
  const [run, setRun] = useState<Run>();
  const [busy, setBusy] = useState(false);
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const start = (method: string, params: JsonObject): void => {
    current.current?.abort();
    const mine = new AbortController();
    current.current = mine;
    setBusy(true);
    let exchange: Exchange | undefined;
    const done = (result: JsonObject | undefined, failure: Failure | undefined): void => {
      if (mine.signal.aborted) return;
      setBusy(false);
      setRun({ exchange, failure, result });
    };
    client.request(method, params, { signal: mine.signal, onExchange: (one) => (exchange = one) }).then(
      (result) => done(result, undefined),
      (reason: unknown) => done(undefined, failureOf(reason)),
    );
  };
  return { run, busy, start };
}

// Returns the parameters of the address that are arguments of the tool.
function argumentsFromAddress(query: URLSearchParams): JsonObject {
  const args: JsonObject = {};
  for (const [name, value] of query) if (name !== 'name' && name !== 'uri') args[name] = value;
  return args;
}

function TryTool() {
  const tools = useQuery('tools/list', (signal) => client.all<Tool>('tools/list', 'tools', { signal }), { revision: revision.tools.value });
  const name = route.value.query.get('name') ?? tools.data?.[0]?.name ?? '';
  const tool = tools.data?.find((one) => one.name === name);
  if (tools.failure && !tools.data) return <Unavailable failure={tools.failure} what="Tools" again={tools.again} />;
  if (!tools.data) return <Loading what="the tools" />;
  return (
    <>
      <Field label="Tool">
        {({ id }) => (
          <select id={id} value={name} onChange={(event) => replaceQuery({ name: event.currentTarget.value })}>
            {tools.data?.map((one) => (
              <option key={one.name} value={one.name}>
                {oneLine(one.name, 100)}
                {one.title !== undefined && ` – ${oneLine(one.title, 100)}`}
              </option>
            ))}
          </select>
        )}
      </Field>
      {tool ? <ToolForm key={tool.name} tool={tool} /> : <Notice tone="warning">This server offers you no tool {oneLine(name, 100)}.</Notice>}
    </>
  );
}

function ToolForm(props: { tool: Tool }) {
  const { tool } = props;
  const [value, setValue] = useState<JsonObject>(() => {
    const initial = initialValue(tool.inputSchema);
    return { ...(isObject(initial) ? initial : {}), ...argumentsFromAddress(route.value.query) };
  });
  const { run, busy, start } = useRun();
  const changesThings = tool.annotations?.readOnlyHint !== true;
  return (
    <>
      <Panel title={oneLine(tool.title ?? tool.name, 120)} aside={<Badge tone={tool.annotations?.destructiveHint === true ? 'bad' : changesThings ? 'warning' : 'plain'}>{tool.annotations?.destructiveHint === true ? 'may destroy' : changesThings ? 'may change things' : 'reads only'}</Badge>}>
        <p>{oneLine(tool.description ?? '', 1500)}</p>
        <SchemaForm schema={tool.inputSchema} value={value} submit="Call the tool" busy={busy} onChange={setValue} onSubmit={() => start('tools/call', { name: tool.name, arguments: value })} />
        <details>
          <summary>Schema</summary>
          <JsonView value={tool.inputSchema} label="Input schema" />
        </details>
      </Panel>
      {run && <Outcome run={run} />}
    </>
  );
}

const maxSuggestions = 50;

function TryPrompt() {
  needCatalogue();
  const name = route.value.query.get('name') ?? '';
  const [typed, setTyped] = useState(name);
  const listId = useId();
  const rows = catalogue.value.rows;
  const suggestions = useMemo(() => {
    const text = typed.toLowerCase();
    const found: string[] = [];
    for (const row of rows) if (row.callName.toLowerCase().includes(text) && found.push(row.callName) === maxSuggestions) break;
    return found;
  }, [rows, typed]);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          replaceQuery({ name: typed });
        }}
      >
        <Field label="Prompt" hint="Every skill is a prompt of its name; plugins may bring others.">
          {({ id, describedBy }) => (
            <span class="row">
              <input id={id} list={listId} required value={typed} aria-describedby={describedBy} onInput={(event) => setTyped(event.currentTarget.value)} />
              <button type="submit">Choose</button>
            </span>
          )}
        </Field>
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      </form>
      {name !== '' && <PromptForm key={name} name={name} />}
    </>
  );
}

async function findPrompt(name: string, signal: AbortSignal): Promise<Prompt> {
  for await (const page of client.pages<Prompt>('prompts/list', 'prompts', {}, { signal })) {
    const found = page.items.find((one) => one.name === name);
    if (found) return found;
  }
  return { name, description: 'No list of prompts names it; the server may know it all the same.', arguments: [{ name: 'arguments' }] };
}

function PromptForm(props: { name: string }) {
  const prompt = useQuery(`prompt:${props.name}`, (signal) => findPrompt(props.name, signal), { revision: revision.prompts.value });
  const [value, setValue] = useState<JsonObject>({});
  const { run, busy, start } = useRun();
  if (prompt.failure) return <Unavailable failure={prompt.failure} what="This prompt" again={prompt.again} />;
  if (!prompt.data) return <Loading what="the prompt" />;
  const args = prompt.data.arguments ?? [];
  const schema: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(args.map((one) => [one.name, { type: 'string', ...(one.description === undefined ? {} : { description: one.description }) }])),
    required: args.filter((one) => one.required).map((one) => one.name),
  };
  return (
    <>
      <Panel title={oneLine(prompt.data.title ?? prompt.data.name, 120)}>
        <p>{oneLine(prompt.data.description ?? '', 1500)}</p>
        <SchemaForm schema={schema} value={value} submit="Get the prompt" busy={busy} onChange={setValue} onSubmit={() => start('prompts/get', { name: props.name, arguments: value })} />
      </Panel>
      {run && <Outcome run={run} />}
    </>
  );
}

function TryResource() {
  needCatalogue();
  const [uri, setUri] = useState(route.value.query.get('uri') ?? '');
  const listId = useId();
  const rows = catalogue.value.rows;
  const { run, busy, start } = useRun();
  const suggestions = useMemo(() => {
    const found: string[] = ownResources.map((name) => `skillhost://${name}`).filter((one) => one.includes(uri));
    for (const row of rows) if (row.uri.includes(uri) && found.push(row.uri) >= maxSuggestions) break;
    return found;
  }, [rows, uri]);
  return (
    <>
      <Panel title="Read a resource">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            replaceQuery({ uri });
            start('resources/read', { uri });
          }}
        >
          <Field label="URI" hint="skill://<source>/<path>/SKILL.md, another file of a skill, or a resource of the server or of a plugin.">
            {({ id, describedBy }) => <input id={id} list={listId} required spellcheck={false} value={uri} aria-describedby={describedBy} onInput={(event) => setUri(event.currentTarget.value)} />}
          </Field>
          <datalist id={listId}>
            {suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
          <p class="row">
            <button type="submit" class="primary" disabled={busy}>
              {busy ? 'Waiting…' : 'Read'}
            </button>
          </p>
        </form>
      </Panel>
      {run && <Outcome run={run} />}
    </>
  );
}

function Outcome(props: { run: Run }) {
  const { run } = props;
  const [shape, setShape] = useState<'result' | 'request' | 'messages'>('result');
  const shapes = [
    ['result', 'Result'],
    ['request', 'Request'],
    ['messages', 'Messages'],
  ] as const;
  return (
    <Panel
      title="Answer"
      aside={
        run.exchange && (
          <span class="quiet" role="status">
            HTTP {run.exchange.status}, {milliseconds(run.exchange.durationMs)}, {bytes(JSON.stringify(run.exchange.messages).length)}
          </span>
        )
      }
    >
      <div class="segmented" role="group" aria-label="What is shown">
        {shapes.map(([id, label]) => (
          <button key={id} type="button" aria-pressed={shape === id} onClick={() => setShape(id)}>
            {label}
          </button>
        ))}
      </div>
      {shape === 'result' && (run.failure ? <Unavailable failure={run.failure} what="The call" /> : run.result && <Result result={run.result} />)}
      {shape === 'request' && <JsonView value={run.exchange?.request ?? null} label="Request as it was sent" />}
      {shape === 'messages' && <JsonView value={run.exchange?.messages ?? []} label="Messages as they came" />}
    </Panel>
  );
}

function Result(props: { result: JsonObject }) {
  const { result } = props;
  const content = Array.isArray(result['content']) ? result['content'] : Array.isArray(result['contents']) ? result['contents'] : Array.isArray(result['messages']) ? result['messages'] : undefined;
  return (
    <>
      {result['isError'] === true && <Notice tone="bad">The tool says that it failed.</Notice>}
      {result['resultType'] === 'input_required' && <Notice tone="warning">The server asks for more input. This page shows the question under “Messages”, and cannot answer it.</Notice>}
      {content?.filter(isObject).map((part, at) => <Content key={at} part={isObject(part['content']) ? part['content'] : part} />)}
      {result['structuredContent'] !== undefined && (
        <>
          <h3>Structured content</h3>
          <JsonView value={result['structuredContent']} label="Structured content" />
        </>
      )}
      {content === undefined && <JsonView value={result} label="Result" />}
    </>
  );
}

const noLinks = (): undefined => undefined;

function Content(props: { part: JsonObject }) {
  const resource = isObject(props.part['resource']) ? props.part['resource'] : props.part;
  const text = resource['text'];
  const data = resource['data'] ?? resource['blob'];
  const type = typeof resource['mimeType'] === 'string' ? resource['mimeType'] : '';
  if (typeof text === 'string' && type === 'application/json') return <JsonText text={text} />;
  if (typeof text === 'string' && /markdown/.test(type)) return <MarkdownView text={text} label="Text of the answer" inside={noLinks} />;
  if (typeof text === 'string') return <TextView text={text} label="Text of the answer" />;
  if (typeof data === 'string') {
    return (
      <Notice>
        {oneLine(type || 'Binary data', 60)}, {bytes(Math.floor((data.length * 3) / 4))}. It is not shown here; “Messages” has it as base64.
      </Notice>
    );
  }
  return <JsonView value={props.part} label="Part of the answer" />;
}

function JsonText(props: { text: string }) {
  const value = useMemo(() => {
    try {
      return { json: JSON.parse(props.text) as unknown };
    } catch {
      return undefined; // it is declared as JSON but is not JSON, so the page shows the text
    }
  }, [props.text]);
  return value ? <JsonView value={value.json} label="JSON of the answer" /> : <TextView text={props.text} label="Text of the answer" />;
}
