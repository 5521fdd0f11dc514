// SPDX-License-Identifier: Apache-2.0
// Shows a long list with only its visible rows in the page. Arrow keys, Page Up and Down, Home and End move the
// selection.

import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollTo, windowOf } from './virtual';

export interface RowProps {
  index: number;
  tabIndex: 0 | -1;
  style: { height: string; transform: string };
}

interface Props {
  count: number;
  rowHeight: number;
  role: 'rowgroup' | 'tree' | 'list' | 'presentation';
  label?: string;
  class?: string;
  // In each row, the element that receives the focus has the attribute data-row with the row's number.
  row: (props: RowProps) => ComponentChildren;
  onKey?: (event: KeyboardEvent, index: number) => number | undefined;
}

export function VirtualList(props: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [viewport, setViewport] = useState(600);
  const [active, setActive] = useState(0);
  const focusNext = useRef(false);
  const { count, rowHeight } = props;
  const current = Math.min(active, Math.max(count - 1, 0));

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = (): void => setViewport(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!focusNext.current) return;
    focusNext.current = false;
    frame.current?.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus({ preventScroll: true });
  });

  const move = useCallback(
    (to: number) => {
      const row = Math.min(Math.max(to, 0), count - 1);
      const element = frame.current;
      if (!element || count === 0) return;
      const position = scrollTo(row, element.scrollTop, element.clientHeight, count, rowHeight);
      if (position !== undefined) {
        element.scrollTop = position;
        setScrollTop(element.scrollTop);
      }
      focusNext.current = true;
      setActive(row);
    },
    [count, rowHeight],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(Math.floor(viewport / rowHeight) - 1, 1);
    const steps: Record<string, number> = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0, End: count - 1 };
    const to = props.onKey?.(event, current) ?? steps[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(to);
  };

  const onFocusIn = (event: FocusEvent): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (row !== undefined) setActive(Number(row));
  };

  const shown = windowOf(scrollTop, viewport, count, rowHeight);
  const rows: ComponentChildren[] = [];
  for (let index = shown.from; index < shown.to; index += 1) {
    const style = { height: `${rowHeight}px`, transform: `translateY(${shown.top + (index - shown.from) * rowHeight}px)` };
    rows.push(props.row({ index, tabIndex: index === current || (index === shown.from && (current < shown.from || current >= shown.to)) ? 0 : -1, style }));
  }
  return (
    <div
      ref={frame}
      class={`virtual ${props.class ?? ''}`}
      role={props.role}
      aria-label={props.label}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
    >
      <div class="virtual-rows" role="presentation" style={{ height: `${shown.height}px` }}>
        {rows}
      </div>
    </div>
  );
}
