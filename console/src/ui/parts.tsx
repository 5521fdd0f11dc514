// SPDX-License-Identifier: Apache-2.0
// Small components that every view uses.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announcement } from '../data/server';
import { askToSignIn } from '../data/session';
import type { Failure } from '../mcp/failure';
import { ago, clock } from '../text/format';
import { oneLine } from '../text/visible';
import { useNow } from './hooks';

export type Tone = 'plain' | 'good' | 'warning' | 'bad' | 'accent';

export function Badge(props: { tone?: Tone; children: ComponentChildren; title?: string }) {
  return (
    <span class={`badge ${props.tone ?? 'plain'}`} title={props.title}>
      {props.children}
    </span>
  );
}

export function Panel(props: { title: string; children: ComponentChildren; aside?: ComponentChildren; id?: string; class?: string }) {
  const id = useId();
  return (
    <section class={`panel ${props.class ?? ''}`} aria-labelledby={id} id={props.id}>
      <div class="panel-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

export function Notice(props: { tone?: Tone; title?: string; children: ComponentChildren; live?: boolean }) {
  return (
    <div class={`notice ${props.tone ?? 'plain'}`} role={props.live ? 'status' : undefined}>
      {props.title && <strong>{props.title} </strong>}
      {props.children}
    </div>
  );
}

export function Loading(props: { what: string }) {
  return (
    <p class="quiet" role="status">
      Reading {props.what}…
    </p>
  );
}

// Explains why a part of the page is missing, and what the visitor can do.
export function Unavailable(props: { failure: Failure; what: string; again?: () => void }) {
  const { failure, what } = props;
  const scope = failure.details.scope;
  return (
    <div class="notice warning" role="status">
      <p>
        <strong>{titleOf(failure, what)}</strong>
      </p>
      <p>{explanationOf(failure)}</p>
      {scope !== undefined && (
        <p>
          The scope that is missing: <code>{scope}</code>.
        </p>
      )}
      {failure.kind !== 'unreachable' && failure.kind !== 'sign-in' && (
        <p class="quiet">
          The server says: {oneLine(failure.message, 1000)}
          {failure.details.code !== undefined && ` (${failure.details.code})`}
        </p>
      )}
      <p class="row">
        {(failure.kind === 'sign-in' || failure.kind === 'forbidden') && (
          <button type="button" onClick={askToSignIn}>
            Sign in
          </button>
        )}
        {props.again && failure.kind !== 'sign-in' && (
          <button type="button" onClick={props.again}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}

function titleOf(failure: Failure, what: string): string {
  switch (failure.kind) {
    case 'unreachable':
      return `${what}: the server does not answer.`;
    case 'sign-in':
      return `${what}: sign in to see this.`;
    case 'forbidden':
      return `${what}: your token may not see this.`;
    case 'missing':
      return `${what}: this server does not offer it to you.`;
    case 'busy':
      return `${what}: the server is busy.`;
    default:
      return `${what}: the server refused.`;
  }
}

function explanationOf(failure: Failure): string {
  switch (failure.kind) {
    case 'unreachable':
      return 'It is asked again as soon as it answers.';
    case 'sign-in':
      return 'The server serves only those who sign in.';
    case 'forbidden':
      return 'Ask whoever manages the server for a token with the scope, and sign in with it.';
    case 'missing':
      return 'It may be switched off in its configuration, be missing in its version, or be for managers (scope skills:manage) alone.';
    case 'busy':
      return 'Wait a moment, then try again.';
    default:
      return 'What the server says of it is below.';
  }
}

// Reports a failure while older data stays on the page.
export function Stale(props: { failure: Failure | undefined; data: unknown; what: string }) {
  if (!props.failure || props.data === undefined) return null;
  return (
    <Notice tone="warning" live>
      {props.what} could not be read again: {oneLine(props.failure.message, 300)} What you see is from before.
    </Notice>
  );
}

export function When(props: { time: Date | undefined }) {
  const now = useNow(15_000);
  if (!props.time) return <span class="quiet">–</span>;
  return (
    <time dateTime={props.time.toISOString()} title={clock(props.time)}>
      {ago(props.time, now)}
    </time>
  );
}

export function Copy(props: { text: string; what: string }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.text);
      announcement.value = `Copied: ${props.what}.`;
    } catch {
      announcement.value = 'The browser does not allow copying here.';
    }
  };
  return (
    <button type="button" class="small" onClick={() => void copy()} aria-label={`Copy ${props.what}`}>
      Copy
    </button>
  );
}

export interface Tab {
  id: string;
  label: string;
  count?: number;
}

// Links to the tabs of one page. The address says which tab is shown.
export function TabLinks(props: { label: string; tabs: Tab[]; current: string; href: (id: string) => string }) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.tabs.map((tab) => (
        <a key={tab.id} href={props.href(tab.id)} aria-current={tab.id === props.current ? 'page' : undefined}>
          {tab.label}
          {tab.count !== undefined && <span class="count"> {tab.count}</span>}
        </a>
      ))}
    </nav>
  );
}

export function Field(props: { label: string; hint?: string | undefined; problem?: string | undefined; children: (ids: { id: string; describedBy: string | undefined }) => ComponentChildren }) {
  const id = useId();
  const described = [props.hint ? `${id}-hint` : '', props.problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children({ id, describedBy: described === '' ? undefined : described })}
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.problem && (
        <p class="problem" id={`${id}-problem`}>
          {props.problem}
        </p>
      )}
    </div>
  );
}

// `onClose` is called when the visitor closes the dialog, for instance with Escape. A browser reports each closing in a
// later task, when the dialog may be open again. Therefore the dialog counts the closings that the page itself caused,
// and ignores them.
export function Dialog(props: { title: string; open: boolean; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ownClosings = useRef(0);
  const id = useId();
  useEffect(() => {
    if (props.open && !dialog.current?.open) dialog.current?.showModal();
    if (props.open || !dialog.current?.open) return;
    ownClosings.current += 1;
    dialog.current.close();
  }, [props.open]);
  const closed = (): void => {
    if (ownClosings.current > 0) ownClosings.current -= 1;
    else props.onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={closed}>
      <h2 id={id}>{props.title}</h2>
      {props.open && props.children}
    </dialog>
  );
}

// Shows a labelled number, as in the row of numbers at the top of a page.
export function Figure(props: { label: string; value: ComponentChildren; note?: ComponentChildren; tone?: Tone }) {
  return (
    <div class={`figure ${props.tone ?? ''}`}>
      <dt>{props.label}</dt>
      <dd>
        {props.value}
        {props.note !== undefined && <span class="note">{props.note}</span>}
      </dd>
    </div>
  );
}

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
  numeric?: boolean;
  wide?: boolean;
}

// Shows up to some hundred rows. A longer table says how many rows are left out.
export function Table<T>(props: { label: string; rows: T[]; columns: Column<T>[]; empty: string; most?: number }) {
  const [most, setMost] = useState(props.most ?? 100);
  if (props.rows.length === 0) return <p class="quiet">{props.empty}</p>;
  return (
    <div class="wide" role="group" aria-label={props.label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.head} scope="col" class={column.numeric ? 'number' : ''}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.slice(0, most).map((row, at) => (
            <tr key={at}>
              {props.columns.map((column) => (
                <td key={column.head} class={`${column.numeric ? 'number' : ''} ${column.wide ? 'text' : ''}`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {props.rows.length > most && (
        <p class="row">
          <span class="quiet">
            {most} of {props.rows.length.toLocaleString('en')}.
          </span>
          <button type="button" class="small" onClick={() => setMost(most + 200)}>
            Show 200 more
          </button>
        </p>
      )}
    </div>
  );
}
