// SPDX-License-Identifier: Apache-2.0
// Computes which rows of a long list are in the page. All rows have the same height, in pixels.

// Browsers do not lay out elements higher than about 17 million pixels. A higher list scrolls proportionally faster.
export const highest = 12_000_000;

export interface Window {
  from: number; // first row in the page
  to: number; // the row after the last one in the page
  height: number; // height of the whole list, as the browser sees it
  top: number; // vertical position of row `from`
}

export function windowOf(scrollTop: number, viewport: number, count: number, rowHeight: number, beyond = 8): Window {
  const whole = count * rowHeight;
  const height = Math.min(whole, highest);
  const scrollable = Math.max(height - viewport, 0);
  const at = Math.min(Math.max(scrollTop, 0), scrollable);
  // Position of the upper edge in the list at its full height.
  const edge = whole <= highest || scrollable === 0 ? at : (at / scrollable) * (whole - viewport);
  const from = Math.max(Math.floor(edge / rowHeight) - beyond, 0);
  const to = Math.min(Math.ceil((edge + viewport) / rowHeight) + beyond, count);
  return { from: Math.min(from, to), to, height, top: at - (edge - from * rowHeight) };
}

// Returns the scroll position that shows a row, or undefined if the row is visible already.
export function scrollTo(row: number, scrollTop: number, viewport: number, count: number, rowHeight: number): number | undefined {
  const whole = count * rowHeight;
  const scrollable = Math.max(Math.min(whole, highest) - viewport, 0);
  const scale = whole <= highest || scrollable === 0 ? 1 : (whole - viewport) / scrollable;
  const edge = scrollTop * scale;
  if (row * rowHeight < edge) return (row * rowHeight) / scale;
  if ((row + 1) * rowHeight > edge + viewport) return Math.min(((row + 1) * rowHeight - viewport) / scale, scrollable);
  return undefined;
}
