// SPDX-License-Identifier: Apache-2.0
// Formats values for people. Times are local; the exact time in UTC is added where it matters.

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

export function count(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '–' : whole.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function bytes(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let amount = value;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? whole.format(amount) : short.format(amount)} ${units[unit] ?? ''}`;
}

export function milliseconds(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  if (value < 1) return `${whole.format(Math.round(value * 1000))} µs`;
  if (value < 1000) return `${short.format(value)} ms`;
  return duration(value / 1000);
}

export function duration(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '–';
  if (seconds < 60) return `${short.format(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  return days >= 7 || hours === 0 ? plural(days, 'day') : `${plural(days, 'day')} ${hours} h`;
}

// Reads a time that a server writes: RFC 3339, or seconds or milliseconds since 1970. Returns undefined for anything
// else.
export function timeOf(value: unknown): Date | undefined {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return new Date(value < 1e11 ? value * 1000 : value);
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

export function ago(time: Date, now = Date.now()): string {
  const seconds = (now - time.getTime()) / 1000;
  if (Math.abs(seconds) < 5) return 'now';
  const amount = duration(Math.floor(Math.abs(seconds)));
  return seconds < 0 ? `in ${amount}` : `${amount} ago`;
}

export function clock(time: Date): string {
  return time.toISOString().replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}

// Estimates tokens as the server does: bytes / 4.
export function tokensOf(size: number): number {
  return Math.floor(size / 4);
}
