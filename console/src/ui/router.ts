// SPDX-License-Identifier: Apache-2.0
// The address names the view after "#", so that the server serves only one page and a link to a view can be shared.

import { signal } from '@preact/signals';

export interface Route {
  view: string;
  rest: string; // the decoded rest of the address after the view
  query: URLSearchParams;
}

export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', ...rest] = path.split('/');
  return { view: view === '' ? 'overview' : view, rest: rest.map(decoded).join('/'), query: new URLSearchParams(query) };
}

export function link(view: string, rest = '', query: Record<string, string | undefined> = {}): string {
  const path = rest === '' ? '' : `/${rest.split('/').map(encodeURIComponent).join('/')}`;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') parameters.set(name, value);
  const text = parameters.toString();
  return `#/${view}${path}${text === '' ? '' : `?${text}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a mistyped link may have an invalid encoding
  }
}

export const route = signal<Route>(routeOf(location.hash));

export function followAddress(): void {
  route.value = routeOf(location.hash);
}

globalThis.addEventListener('hashchange', followAddress);

export function go(address: string): void {
  location.hash = address;
}

// Changes what the view shows without a new history entry, for instance while the visitor types a filter.
export function replaceQuery(query: Record<string, string | undefined>): void {
  const { view, rest } = route.value;
  history.replaceState(null, '', link(view, rest, query));
  followAddress();
}
