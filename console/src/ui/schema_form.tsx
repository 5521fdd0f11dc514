// SPDX-License-Identifier: Apache-2.0
// Shows a form for a JSON schema. The value is plain JSON; an empty field is left out of it.

import { useId, useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject } from '../mcp/messages';
import { initialValue, kindOf, numberOf, problemsOf, propertiesOf, withMember, type Problem } from '../text/schema';
import { oneLine } from '../text/visible';
import { Field } from './parts';

interface FieldProps {
  name: string;
  schema: JsonObject;
  required: boolean;
  value: Json | undefined;
  path: (string | number)[];
  problems: Problem[];
  depth: number;
  brief?: boolean; // shows hints only as tooltips
  onChange: (value: Json | undefined) => void;
}

function same(path: (string | number)[], other: (string | number)[]): boolean {
  return path.length === other.length && path.every((step, at) => step === other[at]);
}

export function SchemaField(props: FieldProps) {
  const { schema, path } = props;
  const problem = props.problems.find((one) => same(one.path, path))?.message;
  const description = typeof schema['description'] === 'string' ? oneLine(schema['description'], 600) : undefined;
  const kind = kindOf(schema, props.depth);
  if (kind === 'object') return <ObjectField {...props} />;
  if (kind === 'list') return <ListField {...props} />;
  const title = typeof schema['title'] === 'string' ? schema['title'] : props.name;
  const label = `${oneLine(title, 120)}${props.required ? ' (needed)' : ''}`;
  return (
    <Field label={label} hint={props.brief ? undefined : description} problem={problem}>
      {({ id, describedBy }) => <Input {...props} id={id} kind={kind} describedBy={describedBy} invalid={problem !== undefined} title={props.brief ? description : undefined} />}
    </Field>
  );
}

function Input(props: FieldProps & { id: string; kind: string; describedBy: string | undefined; invalid: boolean; title: string | undefined }) {
  const { value, onChange, schema } = props;
  const common = { id: props.id, 'aria-describedby': props.describedBy, 'aria-invalid': props.invalid || undefined, title: props.title };
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  switch (props.kind) {
    case 'choice': {
      const choices = Array.isArray(schema['enum']) ? schema['enum'] : [];
      const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
      return (
        <select {...common} value={String(at)} onChange={(event) => onChange(choices[Number(event.currentTarget.value)])}>
          <option value="-1">–</option>
          {choices.map((choice, index) => (
            <option key={index} value={String(index)}>
              {oneLine(typeof choice === 'string' ? choice : JSON.stringify(choice), 200)}
            </option>
          ))}
        </select>
      );
    }
    case 'boolean':
      return (
        <select {...common} value={value === undefined ? '' : String(value)} onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value === 'true')}>
          <option value="">–</option>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </select>
      );
    case 'integer':
    case 'number':
      return <input {...common} type="text" inputMode={props.kind === 'integer' ? 'numeric' : 'decimal'} value={text} onInput={(event) => onChange(numberOf(event.currentTarget.value))} />;
    case 'json':
      return <JsonInput {...common} value={value} onChange={onChange} />;
    case 'long-text':
      return <textarea {...common} rows={3} value={text} onInput={(event) => onChange(event.currentTarget.value === '' && !props.required ? undefined : event.currentTarget.value)} />;
    default:
      return <input {...common} type="text" spellcheck={false} autocomplete="off" value={text} onInput={(event) => onChange(event.currentTarget.value === '' && !props.required ? undefined : event.currentTarget.value)} />;
  }
}

function JsonInput(props: { id: string; value: Json | undefined; onChange: (value: Json | undefined) => void }) {
  const [text, setText] = useState(props.value === undefined ? '' : JSON.stringify(props.value, null, 2));
  const [wrong, setWrong] = useState<string>();
  const { value: _value, onChange, ...common } = props;
  const problemId = useId();
  const read = (written: string): void => {
    setText(written);
    if (written.trim() === '') {
      setWrong(undefined);
      return onChange(undefined);
    }
    try {
      onChange(JSON.parse(written) as Json);
      setWrong(undefined);
    } catch (reason) {
      setWrong(`Not JSON yet: ${reason instanceof Error ? reason.message : ''}`);
    }
  };
  return (
    <>
      <textarea {...common} rows={4} spellcheck={false} class="code" value={text} aria-invalid={wrong !== undefined} aria-errormessage={wrong === undefined ? undefined : problemId} onInput={(event) => read(event.currentTarget.value)} />
      {wrong !== undefined && (
        <p class="problem" id={problemId}>
          {wrong}
        </p>
      )}
    </>
  );
}

function ObjectField(props: FieldProps) {
  const value = isObject(props.value) ? props.value : {};
  return (
    <fieldset>
      <legend>
        {oneLine(props.name, 120)}
        {props.required ? ' (needed)' : ''}
      </legend>
      {propertiesOf(props.schema).map((property) => (
        <SchemaField
          key={property.name}
          {...property}
          value={value[property.name]}
          path={[...props.path, property.name]}
          problems={props.problems}
          depth={props.depth + 1}
          onChange={(member) => {
            const changed = withMember(value, [property.name], member);
            props.onChange(isObject(changed) && Object.keys(changed).length === 0 && !props.required ? undefined : changed);
          }}
        />
      ))}
    </fieldset>
  );
}

function ListField(props: FieldProps) {
  const items = Array.isArray(props.value) ? props.value : [];
  const schema = isObject(props.schema['items']) ? props.schema['items'] : {};
  const problem = props.problems.find((one) => same(one.path, props.path))?.message;
  const set = (next: Json[]): void => props.onChange(next.length === 0 && !props.required ? undefined : next);
  return (
    <fieldset>
      <legend>
        {oneLine(props.name, 120)}
        {props.required ? ' (needed)' : ''}
      </legend>
      {typeof props.schema['description'] === 'string' && <p class="hint">{oneLine(props.schema['description'], 600)}</p>}
      {problem !== undefined && <p class="problem">{problem}</p>}
      {items.map((item, at) => (
        <div key={at} class="list-item">
          <SchemaField name={`Item ${at + 1}`} schema={schema} required value={item} path={[...props.path, at]} problems={props.problems} depth={props.depth + 1} onChange={(changed) => set(items.map((one, other) => (other === at ? (changed ?? '') : one)))} />
          <button type="button" class="small" onClick={() => set(items.filter((_, other) => other !== at))} aria-label={`Remove item ${at + 1}`}>
            Remove
          </button>
        </div>
      ))}
      <button type="button" class="small" onClick={() => set([...items, initialValue(schema, props.depth + 1) ?? ''])}>
        Add an item
      </button>
    </fieldset>
  );
}

// Shows a whole form for the arguments of a tool or prompt.
export function SchemaForm(props: { schema: JsonObject; value: JsonObject; submit: string; busy: boolean; onChange: (value: JsonObject) => void; onSubmit: () => void }) {
  const [shown, setShown] = useState<Problem[]>([]);
  const [asJson, setAsJson] = useState(false);
  const properties = propertiesOf(props.schema);
  const submit = (event: Event): void => {
    event.preventDefault();
    const problems = problemsOf(props.schema, props.value);
    setShown(problems);
    if (problems.length === 0) return props.onSubmit();
    // Moves the focus to the first invalid field after it has been marked.
    const form = event.currentTarget as HTMLFormElement;
    queueMicrotask(() => requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()));
  };
  const elsewhere = shown.filter((problem) => problem.path.length === 0 || !properties.some((property) => property.name === problem.path[0]));
  return (
    <form onSubmit={submit} noValidate>
      {properties.length === 0 && !asJson && <p class="quiet">It takes no arguments.</p>}
      {asJson ? (
        <Field label="Arguments as JSON" hint="Sent as they are; the server says what is wrong with them.">
          {({ id }) => <JsonInput id={id} value={props.value} onChange={(value) => props.onChange(isObject(value) ? value : {})} />}
        </Field>
      ) : (
        properties.map((property) => (
          <SchemaField
            key={property.name}
            {...property}
            value={props.value[property.name]}
            path={[property.name]}
            problems={shown}
            depth={1}
            onChange={(value) => {
              const changed = withMember(props.value, [property.name], value);
              props.onChange(isObject(changed) ? changed : {});
            }}
          />
        ))
      )}
      {elsewhere.map((problem, at) => (
        <p key={at} class="problem">
          {problem.message}
        </p>
      ))}
      <p class="row">
        <button type="submit" class="primary" disabled={props.busy}>
          {props.busy ? 'Waiting…' : props.submit}
        </button>
        <button type="button" class="small" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          Write JSON
        </button>
      </p>
    </form>
  );
}

