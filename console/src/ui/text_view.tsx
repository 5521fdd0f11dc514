// SPDX-License-Identifier: Apache-2.0
// Shows a text with line numbers, and the difference of two texts. Only the visible lines of a long text are in the
// page, and long lines are split so that the browser can lay them out without a pause.

import { useMemo } from 'preact/hooks';
import type { Hunk, Line } from '../text/difference';
import { count, plural } from '../text/format';
import { countHidden, cut, showHidden } from '../text/visible';
import { Notice } from './parts';
import { VirtualList } from './virtual_list';

const maxLineLength = 2000;
const lineHeight = 20;
const countedUpTo = 2_000_000;

function line(text: string): string {
  const start = showHidden(cut(text, maxLineLength));
  return text.length <= maxLineLength ? start : `${start} … (cut: the line has ${count(text.length)} characters)`;
}

export interface Mark {
  line: number; // line number, from 1
  text: string;
}

export function TextView(props: { text: string; label: string; marks?: Mark[] }) {
  const lines = useMemo(() => props.text.split(/\r?\n/), [props.text]);
  const hidden = useMemo(() => countHidden(cut(props.text, countedUpTo)), [props.text]);
  const marks = useMemo(() => new Map((props.marks ?? []).map((mark) => [mark.line, mark.text])), [props.marks]);
  const height = Math.min(lines.length, 34) * lineHeight + 2;
  return (
    <div>
      {hidden > 0 && <HiddenNotice hidden={hidden} />}
      <div class="code-frame" style={{ height: `${height}px` }}>
        <VirtualList
          role="list"
          label={props.label}
          class="code"
          count={lines.length}
          rowHeight={lineHeight}
          row={({ index, tabIndex, style }) => {
            const mark = marks.get(index + 1);
            return (
              <div key={index} role="listitem" class={`code-line ${mark === undefined ? '' : 'marked'}`} style={style} data-row={index} tabIndex={tabIndex} title={mark}>
                <span class="line-number" aria-hidden="true">
                  {index + 1}
                </span>
                <span class="line-text">{line(lines[index] ?? '')}</span>
                {mark !== undefined && <span class="line-mark">{showHidden(cut(mark, 300))}</span>}
              </div>
            );
          }}
        />
      </div>
    </div>
  );
}

export function HiddenNotice(props: { hidden: number }) {
  return (
    <Notice tone="warning">
      This text has {plural(props.hidden, 'character')} that cannot be seen or that change the order of the text. They are shown as ⟨U+…⟩.
    </Notice>
  );
}

// Above this number of lines, only the visible lines are laid out.
const maxTableRows = 1500;

// Splits a line that is too long for one row into several rows, so that a difference leaves nothing out.
function rowsOf(lines: Line[]): Line[] {
  return lines.flatMap((one) => {
    if (one.text.length <= maxLineLength) return [one];
    const rows: Line[] = [];
    for (let rest = one.text; rest !== ''; ) {
      const start = cut(rest, maxLineLength);
      rows.push(rows.length === 0 ? { ...one, text: start } : { kind: one.kind, text: start });
      rest = rest.slice(start.length);
    }
    return rows;
  });
}

function signOf(one: Line): string {
  return one.kind === 'added' ? '+' : one.kind === 'removed' ? '−' : '';
}

export function DifferenceView(props: { hunks: Hunk[]; label: string }) {
  const tables = useMemo(() => props.hunks.map((hunk) => rowsOf(hunk.lines)), [props.hunks]);
  if (tables.length === 0) return <p class="quiet">No line differs.</p>;
  if (tables.reduce((sum, rows) => sum + rows.length, 0) > maxTableRows) return <LongDifference rows={tables.flat()} label={props.label} />;
  return (
    <div class="wide difference" role="group" aria-label={props.label} tabIndex={0}>
      {tables.map((rows, at) => (
        <table key={at}>
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Line before</th>
              <th scope="col">Line now</th>
              <th scope="col">Change</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one, row) => (
              <tr key={row} class={one.kind}>
                <td class="line-number">{one.before ?? ''}</td>
                <td class="line-number">{one.after ?? ''}</td>
                <td class="sign">
                  <span aria-hidden="true">{signOf(one)}</span>
                  <span class="visually-hidden">{one.kind === 'same' ? '' : one.kind}</span>
                </td>
                <td class="line-text">{line(one.text)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function LongDifference(props: { rows: Line[]; label: string }) {
  const { rows } = props;
  return (
    <div class="code-frame difference" style={{ height: `${34 * lineHeight + 2}px` }}>
      <VirtualList
        role="list"
        label={props.label}
        class="code"
        count={rows.length}
        rowHeight={lineHeight}
        row={({ index, tabIndex, style }) => {
          const one = rows[index];
          if (!one) return null;
          return (
            <div key={index} role="listitem" class={`code-line ${one.kind}`} style={style} data-row={index} tabIndex={tabIndex}>
              <span class="line-number">{one.before ?? ''}</span>
              <span class="line-number">{one.after ?? ''}</span>
              <span class="sign" aria-hidden="true">
                {signOf(one)}
              </span>
              <span class="visually-hidden">{one.kind === 'same' ? '' : one.kind}</span>
              <span class="line-text">{line(one.text)}</span>
            </div>
          );
        }}
      />
    </div>
  );
}

export function JsonView(props: { value: unknown; label: string }) {
  const text = useMemo(() => JSON.stringify(props.value, null, 2) ?? 'nothing', [props.value]);
  return <TextView text={text} label={props.label} />;
}
