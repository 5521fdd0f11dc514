// SPDX-License-Identifier: Apache-2.0
// Reads earlier versions of a skill, which the server keeps for managers.

import { isObject, type JsonObject } from '../mcp/messages';
import { timeOf } from '../text/format';
import { listOf, numberIn, textOf } from './joined';
import { readJson } from './server';

export interface Version {
  number: number;
  since: Date | undefined;
  until: Date | undefined; // undefined while this version is served
  digest: string;
  size: number | undefined; // size of SKILL.md in bytes
  files: number | undefined;
  hasText: boolean;
  origin: string; // commit, version or archive of this version; empty if the source names none
}

export interface Versions {
  enabled: boolean;
  withheld: boolean; // the server does not show versions to this visitor, who is unknown or does not see all skills
  all: Version[]; // newest first
}

export interface VersionFile {
  path: string;
  size: number | undefined;
  mark: string;
}

export interface VersionContent {
  version: Version;
  text: string | undefined; // undefined if the server has not kept it
  files: VersionFile[];
}

export interface ChangedFile {
  path: string;
  change: 'new' | 'gone' | 'changed';
}

function uriOf(id: string): string {
  return `skillhost://versions/${id.split('/').map(encodeURIComponent).join('/')}`;
}

export async function readVersions(id: string, signal: AbortSignal): Promise<Versions> {
  return versionsOf(await readJson(uriOf(id), { signal }));
}

export async function readVersion(id: string, number: number, signal: AbortSignal): Promise<VersionContent> {
  const data = await readJson(`${uriOf(id)}?version=${number}`, { signal });
  return contentOf(isObject(data['content']) ? data['content'] : {});
}

export function versionsOf(data: JsonObject): Versions {
  return { enabled: data['enabled'] !== false, withheld: data['withheld'] === true, all: listOf(data, 'versions').map(versionOf) };
}

// Facts that a source may state about a version's origin. The first one that exists is shown.
const origins = ['commit', 'version', 'archive', 'digest', 'revision'];

function versionOf(one: JsonObject): Version {
  const facts = isObject(one['facts']) ? one['facts'] : {};
  return {
    number: numberIn(one, 'version') ?? 0,
    since: timeOf(one['since']),
    until: timeOf(one['until']),
    digest: textOf(one, 'digest'),
    size: numberIn(one, 'size'),
    files: numberIn(one, 'files'),
    hasText: one['has_text'] === true,
    origin: origins.map((name) => textOf(facts, name)).find((text) => text !== '') ?? '',
  };
}

export function contentOf(data: JsonObject): VersionContent {
  return {
    version: versionOf(data),
    text: typeof data['text'] === 'string' ? data['text'] : undefined,
    files: listOf(data, 'file_list').map((file) => ({ path: textOf(file, 'path'), size: numberIn(file, 'size'), mark: textOf(file, 'mark') })),
  };
}

// Leaves out SKILL.md, because the page compares its text.
export function changedFiles(older: VersionFile[], newer: VersionFile[]): ChangedFile[] {
  const before = new Map(older.map((file) => [file.path, file]));
  const now = new Map(newer.map((file) => [file.path, file]));
  const changed: ChangedFile[] = [];
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const was = before.get(path);
    const is = now.get(path);
    if (path === 'SKILL.md') continue;
    if (!was) changed.push({ path, change: 'new' });
    else if (!is) changed.push({ path, change: 'gone' });
    else if (was.mark !== is.mark || was.size !== is.size) changed.push({ path, change: 'changed' });
  }
  return changed.sort((one, other) => (one.path < other.path ? -1 : 1));
}
