// SPDX-License-Identifier: Apache-2.0
// Reads every skill that the visitor may see, as rows for lists. The first page of resources/list is shown at once. The
// following pages hold as many skills as the server grants to a client that asks for larger pages.

import { signal } from '@preact/signals';
import { Failure, failureOf } from '../mcp/failure';
import { isObject, type JsonObject, type Resource } from '../mcp/messages';
import { cut, oneLine } from '../text/visible';
import { tokensOf } from '../text/format';
import { client, revision } from './server';

export interface SkillRow {
  uri: string;
  id: string; // "<source>/<path>", unique on this server
  source: string;
  path: string; // relative to the source
  name: string;
  description: string;
  size: number | undefined;
  tokens: number | undefined;
  category: string;
  callName: string; // the name that load_skill accepts
  searchable: string;
}

export interface Catalogue {
  rows: SkillRow[];
  complete: boolean; // the list has every row
  loading: boolean; // the server has not read all of its skills yet
  failure: Failure | undefined;
}

export const catalogue = signal<Catalogue>({ rows: [], complete: false, loading: false, failure: undefined });

// A list has one line for each skill, so names and descriptions are cut. The skill's own page shows them in full.
const maxNameLength = 120;
const maxDescriptionLength = 300;
// The server grants up to 2,000. The browser reads a page of that size within a frame or two.
const larger: JsonObject = { _meta: { 'org.skillhost/pageSize': 2000 } };
// Showing a list sorts and filters it, so a growing list is shown again only when it has grown by this factor.
const growth = 2;

let reading: AbortController | undefined;
let readFor = -1;

// Reads the list unless it is current. Every view that shows skills calls this function.
export function needCatalogue(): void {
  const now = revision.resources.value;
  if (readFor === now) return;
  readFor = now;
  reading?.abort();
  reading = new AbortController();
  void read(reading.signal);
}

export function rowOf(resource: Resource): SkillRow | undefined {
  const match = /^skill:\/\/([^/]+)\/(.+)\/SKILL\.md$/.exec(resource.uri);
  const source = match?.[1];
  const path = match?.[2];
  if (source === undefined || path === undefined) return undefined;
  const name = oneLine(resource.name, maxNameLength);
  const description = oneLine(resource.description ?? '', maxDescriptionLength);
  const id = decoded(`${source}/${path}`);
  return {
    uri: resource.uri,
    id,
    source: decoded(source),
    path: decoded(path),
    name,
    description,
    size: resource.size,
    tokens: resource.size === undefined ? undefined : tokensOf(resource.size),
    category: oneLine(categoryOf(resource), 60),
    callName: resource.name,
    searchable: `${cut(resource.name, maxNameLength)}\n${cut(id, 400)}\n${description}`.toLowerCase(),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function categoryOf(resource: Resource): string {
  const category = resource._meta?.['org.skillhost/category'];
  return typeof category === 'string' ? category : '';
}

async function read(signal: AbortSignal): Promise<void> {
  const rows: SkillRow[] = [];
  const keptUntilWhole = catalogue.value.complete; // a complete list stays on the page while it is read again
  let shown = 0;
  let loading = false;
  try {
    for await (const page of client.pages<Resource>('resources/list', 'resources', {}, { signal }, larger)) {
      for (const resource of page.items) {
        const row = rowOf(resource);
        if (row) rows.push(row);
      }
      loading ||= isObject(page.meta['org.skillhost/loading']);
      if (keptUntilWhole || rows.length < shown * growth) continue;
      shown = rows.length;
      catalogue.value = { rows: rows.slice(), complete: false, loading, failure: undefined };
    }
    catalogue.value = { rows, complete: true, loading, failure: undefined };
  } catch (reason) {
    const failure = failureOf(reason);
    if (failure.kind === 'cancelled') return;
    readFor = -1; // makes the next view read the list again
    catalogue.value = { ...catalogue.value, failure };
  }
}
