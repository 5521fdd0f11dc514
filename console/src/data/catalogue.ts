// SPDX-License-Identifier: Apache-2.0
// Every skill the visitor may see, as rows for lists. The first page of resources/list shows at once; the others follow,
// each with as many skills as the server sends to who wishes for more.

import { signal } from '@preact/signals';
import { Failure, failureOf } from '../mcp/failure';
import { isObject, type JsonObject, type Resource } from '../mcp/messages';
import { cut, oneLine } from '../text/visible';
import { tokensOf } from '../text/format';
import { client, revision } from './server';

export interface SkillRow {
  uri: string;
  id: string; // "<source>/<path>": a name that nothing else can have
  source: string;
  path: string; // below the source
  name: string;
  description: string;
  size: number | undefined;
  tokens: number | undefined;
  category: string;
  callName: string; // what load_skill knows it by
  searchable: string;
}

export interface Catalogue {
  rows: SkillRow[];
  complete: boolean; // every row is here
  loading: boolean; // the server itself has not read all of its skills yet
  failure: Failure | undefined;
}

export const catalogue = signal<Catalogue>({ rows: [], complete: false, loading: false, failure: undefined });

// Names and descriptions are for one line of a list; the whole is on the page of the skill.
const longestName = 120;
const longestDescription = 300;
// The server grants up to 2,000. A page of that size is read within a frame or two.
const larger: JsonObject = { _meta: { 'org.skillhost/pageSize': 2000 } };
// A list is sorted and filtered each time it is shown: it is shown again when it is this many times as long.
const growth = 2;

let reading: AbortController | undefined;
let readFor = -1;

// Reads the list unless it is the current one. Called by every view that shows skills.
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
  const name = oneLine(resource.name, longestName);
  const description = oneLine(resource.description ?? '', longestDescription);
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
    searchable: `${cut(resource.name, longestName)}\n${cut(id, 400)}\n${description}`.toLowerCase(),
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
  const keptUntilWhole = catalogue.value.complete; // a list that is shown is not taken away while it is read again
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
    readFor = -1; // the next view asks again
    catalogue.value = { ...catalogue.value, failure };
  }
}
