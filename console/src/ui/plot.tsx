// SPDX-License-Identifier: Apache-2.0
// Draws lines or bars over time, and offers the same numbers as a table for those who cannot see the plot.

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { repaint } from './theme';
import { Table } from './parts';

export interface Series {
  label: string;
  values: (number | null)[];
}

interface Props {
  label: string;
  times: number[]; // in seconds since 1970
  series: Series[];
  format: (value: number) => string;
  time: (seconds: number) => string;
  bars?: boolean;
  height?: number;
}

const inks = ['--ink-1', '--ink-2', '--ink-3'];

export function Plot(props: Props) {
  const place = useRef<HTMLDivElement>(null);
  const colours = repaint.value;
  const { times, series } = props;
  useEffect(() => {
    const element = place.current;
    if (!element || times.length < 2) return;
    const plot = new uPlot(options(props, element), [times, ...series.map((one) => one.values)], element);
    // Screen readers skip the canvas, because the table below has the same numbers.
    plot.root.setAttribute('aria-hidden', 'true');
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: props.height ?? 180 }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, colours]);
  if (times.length < 2) return <p class="quiet">{props.label}: figures appear as they come in.</p>;
  const rows = times.map((time, at) => ({ time, values: series.map((one) => one.values[at] ?? null) })).reverse();
  return (
    <figure class="plot">
      <figcaption>
        {props.label}
        <span class="legend">
          {series.map((one, at) => (
            <span key={one.label} class={`key key-${at + 1}`}>
              {one.label}
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={place} class="canvas" />
      <details>
        <summary>As a table</summary>
        <Table
          label={props.label}
          empty=""
          most={50}
          rows={rows}
          columns={[
            { head: 'Time', cell: (row) => props.time(row.time) },
            ...series.map((one, at) => ({ head: one.label, numeric: true, cell: (row: { values: (number | null)[] }) => (row.values[at] === null || row.values[at] === undefined ? '–' : props.format(row.values[at])) })),
          ]}
        />
      </details>
    </figure>
  );
}

function options(props: Props, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
  return {
    width: element.clientWidth,
    height: props.height ?? 180,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map(props.time), space: 80 },
      { ...axis, size: 64, values: (_plot, splits) => splits.map(props.format) },
    ],
    series: [
      {},
      ...props.series.map((one, at) => ({
        label: one.label,
        stroke: colour(inks[at % inks.length] ?? '--ink-1'),
        width: 1.5,
        points: { show: false },
        ...(props.bars && uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.7, 40] }), fill: colour(inks[at % inks.length] ?? '--ink-1') } : {}),
      })),
    ],
  };
}
