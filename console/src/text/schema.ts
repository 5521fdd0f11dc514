// SPDX-License-Identifier: Apache-2.0
// Makes a form from the parts of JSON Schema 2020-12 that tools use: objects, arrays, strings, numbers, booleans,
// enums. Values that a form cannot express (anyOf, $ref, no type) are entered as JSON. The server decides what is
// valid.

import { isObject, type Json, type JsonObject } from '../mcp/messages';

export type FieldKind = 'text' | 'long-text' | 'integer' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'json';

export interface Property {
  name: string;
  schema: JsonObject;
  required: boolean;
}

export interface Problem {
  path: (string | number)[];
  message: string;
}

const maxFormDepth = 5;

export function kindOf(schema: JsonObject, depth = 0): FieldKind {
  if (Array.isArray(schema['enum'])) return 'choice';
  if (['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if'].some((key) => key in schema)) return 'json';
  switch (typeOf(schema)) {
    case 'string':
      return textKind(schema);
    case 'integer':
      return 'integer';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return depth < maxFormDepth && isObject(schema['items']) ? 'list' : 'json';
    case 'object':
      return depth < maxFormDepth && isObject(schema['properties']) ? 'object' : 'json';
    default:
      return 'json';
  }
}

function typeOf(schema: JsonObject): string | undefined {
  const type = schema['type'];
  if (typeof type === 'string') return type;
  // For ["string", "null"], an empty field is left out, which means the same as null.
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  if (types.length === 1 && typeof types[0] === 'string') return types[0];
  return isObject(schema['properties']) ? 'object' : undefined;
}

function textKind(schema: JsonObject): FieldKind {
  const maxLength = schema['maxLength'];
  return typeof maxLength === 'number' && maxLength <= 200 ? 'text' : schema['format'] === undefined && schema['pattern'] === undefined && /task|text|content|body|query|reason|message/i.test(String(schema['description'] ?? '')) ? 'long-text' : 'text';
}

export function propertiesOf(schema: JsonObject): Property[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const all = Object.entries(properties).map(([name, property]) => ({ name, schema: isObject(property) ? property : {}, required: required.includes(name) }));
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)];
}

// Returns the initial value of a form: defaults, and empty objects for required members.
export function initialValue(schema: JsonObject, depth = 0): Json | undefined {
  if (schema['default'] !== undefined) return structuredClone(schema['default']);
  if (schema['const'] !== undefined) return structuredClone(schema['const']);
  if (kindOf(schema, depth) !== 'object') return undefined;
  const value: JsonObject = {};
  for (const property of propertiesOf(schema)) {
    const initial = initialValue(property.schema, depth + 1);
    if (initial !== undefined && (property.required || property.schema['default'] !== undefined)) value[property.name] = initial;
  }
  return value;
}

// Returns a copy of the value with one member set. The value undefined removes the member.
export function withMember(value: Json | undefined, path: (string | number)[], member: Json | undefined): Json | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return member;
  if (typeof first === 'number') {
    const items: Json[] = Array.isArray(value) ? [...value] : [];
    const changed = withMember(items[first], rest, member);
    if (changed === undefined && rest.length === 0) items.splice(first, 1);
    else items[first] = changed ?? null;
    return items;
  }
  const object: JsonObject = isObject(value) ? { ...value } : {};
  const changed = withMember(object[first], rest, member);
  if (changed === undefined) delete object[first];
  else object[first] = changed;
  return object;
}

// Returns the number, or the text itself if it is no number, so that the form can report it.
export function numberOf(text: string): Json | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

export function problemsOf(schema: JsonObject, value: Json | undefined, path: (string | number)[] = []): Problem[] {
  const problem = (message: string): Problem[] => [{ path, message }];
  if (value === undefined) return [];
  const choices = schema['enum'];
  if (Array.isArray(choices) && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) return problem(`One of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`);
  switch (typeOf(schema)) {
    case 'string':
      return typeof value === 'string' ? textProblems(schema, value, problem) : problem('Text is expected.');
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) ? numberProblems(schema, value, problem) : problem('A whole number is expected.');
    case 'number':
      return typeof value === 'number' ? numberProblems(schema, value, problem) : problem('A number is expected.');
    case 'boolean':
      return typeof value === 'boolean' ? [] : problem('Yes or no is expected.');
    case 'array':
      return Array.isArray(value) ? listProblems(schema, value, path, problem) : problem('A list is expected.');
    case 'object':
      return isObject(value) ? objectProblems(schema, value, path) : problem('An object is expected.');
    default:
      return [];
  }
}

type Say = (message: string) => Problem[];

function limit(schema: JsonObject, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
}

function textProblems(schema: JsonObject, value: string, problem: Say): Problem[] {
  const length = [...value].length;
  const least = limit(schema, 'minLength');
  const most = limit(schema, 'maxLength');
  if (least !== undefined && length < least) return problem(least === 1 ? 'It must not be empty.' : `At least ${least} characters.`);
  if (most !== undefined && length > most) return problem(`At most ${most} characters; it has ${length}.`);
  return [];
}

function numberProblems(schema: JsonObject, value: number, problem: Say): Problem[] {
  const least = limit(schema, 'minimum');
  const most = limit(schema, 'maximum');
  if (least !== undefined && value < least) return problem(`At least ${least}.`);
  if (most !== undefined && value > most) return problem(`At most ${most}.`);
  return [];
}

function listProblems(schema: JsonObject, value: Json[], path: (string | number)[], problem: Say): Problem[] {
  const least = limit(schema, 'minItems');
  const most = limit(schema, 'maxItems');
  if (least !== undefined && value.length < least) return problem(`At least ${least} items.`);
  if (most !== undefined && value.length > most) return problem(`At most ${most} items.`);
  const items = schema['items'];
  return isObject(items) ? value.flatMap((item, at) => problemsOf(items, item, [...path, at])) : [];
}

function objectProblems(schema: JsonObject, value: JsonObject, path: (string | number)[]): Problem[] {
  const found: Problem[] = [];
  for (const property of propertiesOf(schema)) {
    const member = value[property.name];
    if (member === undefined && property.required) found.push({ path: [...path, property.name], message: 'This is needed.' });
    found.push(...problemsOf(property.schema, member, [...path, property.name]));
  }
  const known = new Set(propertiesOf(schema).map((property) => property.name));
  if (schema['additionalProperties'] !== false) return found;
  for (const name of Object.keys(value)) if (!known.has(name)) found.push({ path: [...path, name], message: `There is no "${name}" here.` });
  return found;
}
