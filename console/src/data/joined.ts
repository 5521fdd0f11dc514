// SPDX-License-Identifier: Apache-2.0
// Finds what the resources for managers say about each skill. It reads them leniently: a missing member leaves its
// place empty, because the page may be older or newer than the server.

import { isObject, type Json, type JsonObject } from '../mcp/messages';

export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

// Returns the first of these members that is a list.
export function listOf(data: JsonObject | undefined, ...members: string[]): JsonObject[] {
  for (const member of [...members, 'items']) {
    const value = data?.[member];
    if (Array.isArray(value)) return objectsIn(value);
  }
  return [];
}

export function textOf(object: JsonObject | undefined, ...members: string[]): string {
  for (const member of members) {
    const value = object?.[member];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

export function numberIn(object: JsonObject | undefined, ...members: string[]): number | undefined {
  for (const member of members) {
    const value = object?.[member];
    if (typeof value === 'number') return value;
  }
  return undefined;
}

// Groups findings by the name or the id of the skill. Findings without a skill are under "".
export function findingsBySkill(data: JsonObject | undefined): Map<string, JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  for (const finding of listOf(data, 'findings')) {
    const skill = textOf(finding, 'skill');
    const before = found.get(skill);
    if (before) before.push(finding);
    else found.set(skill, [finding]);
  }
  return found;
}

// Returns the findings that keep a skill from being served. They are errors that name no skill.
export function unreadFiles(data: JsonObject | undefined): JsonObject[] {
  return listOf(data, 'findings').filter((finding) => textOf(finding, 'skill') === '' && textOf(finding, 'severity') === 'error');
}

export function messageOf(finding: JsonObject): string {
  return textOf(finding, 'reason', 'message');
}

// A finding names its file relative to the skill, or by its path on the server.
export function isInFile(finding: JsonObject, path: string): boolean {
  const file = textOf(finding, 'file') || 'SKILL.md';
  return file === path || file.endsWith(`/${path}`);
}

// The resource names at most this many skills. If it names that many, the usage of the others is unknown.
const maxSkillsOfUsage = 100;

export interface Usage {
  loads: (id: string) => number | undefined; // loads of the skill with this id, "<source>/<path>"; undefined if unknown
  complete: boolean; // true if every skill that is not named was not used
}

// Undefined if the server does not record usage, or does not show it to this visitor.
export function usageOf(data: JsonObject | undefined): Usage | undefined {
  if (data === undefined || data['enabled'] === false) return undefined;
  const rows = listOf(data, 'skills');
  const found = new Map(rows.map((row) => [textOf(row, 'id'), numberIn(row, 'loads') ?? 0]));
  const complete = rows.length < maxSkillsOfUsage;
  return { loads: (id) => found.get(id) ?? (complete ? 0 : undefined), complete };
}

export function heldSkills(data: JsonObject | undefined): JsonObject[] {
  return listOf(data, 'reviews').filter((one) => textOf(one, 'action') === 'quarantine');
}

// Returns the failure of a source without the source's name, because the page shows the name beside it.
export function failureOfSource(source: JsonObject): string {
  const failure = textOf(source, 'failure');
  const name = `${textOf(source, 'name')}: `;
  return failure.startsWith(name) ? failure.slice(name.length) : failure;
}

// Describes in words who may see the skills that a rule of visibility names.
export function audienceOfRule(rule: JsonObject): string {
  const texts = (member: string): string[] => (Array.isArray(rule[member]) ? rule[member].map(String) : []);
  const [scopes, principals, issuers] = [texts('scopes'), texts('principals'), texts('issuers')];
  const who: string[] = [];
  if (scopes.length > 0) who.push(`whoever has the scope ${scopes.join(' or ')}`);
  if (principals.length > 0) who.push(`whose name matches ${principals.join(' or ')}`);
  const names = [
    ...(texts('sources').length > 0 ? [`sources ${texts('sources').join(', ')}`] : []),
    ...(texts('categories').length > 0 ? [`categories ${texts('categories').join(', ')}`] : []),
  ];
  const from = issuers.length > 0 ? `of the issuer ${issuers.join(' or ')}` : '';
  const said = [who.join(', or '), from].filter(Boolean).join(', if ');
  const whole = who.length > 0 ? said : from === '' ? 'nobody' : `everybody ${from}`;
  return `${whole} (a rule for ${names.length > 0 ? names.join(' and ') : 'all skills'})`;
}
