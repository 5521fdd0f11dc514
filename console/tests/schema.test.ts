// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../src/mcp/messages';
import { initialValue, kindOf, numberOf, problemsOf, propertiesOf, withMember } from '../src/text/schema';

const schema: JsonObject = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 20, default: 3 },
    name: { type: 'string', minLength: 1 },
    action: { enum: ['list', 'show', 7] },
    deep: { type: 'object', required: ['x'], properties: { x: { type: 'number' }, tags: { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 2 } } },
  },
  required: ['name'],
  additionalProperties: false,
};

describe('kindOf', () => {
  it.each([
    [{ type: 'string', maxLength: 10 }, 'text'],
    [{ type: 'string', description: 'The task in words.' }, 'long-text'],
    [{ type: ['string', 'null'], maxLength: 5 }, 'text'],
    [{ type: 'integer' }, 'integer'],
    [{ type: 'boolean' }, 'boolean'],
    [{ enum: [1, 'a'] }, 'choice'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array' }, 'json'],
    [{ properties: { a: {} } }, 'object'],
    [{ type: 'object' }, 'json'],
    [{ anyOf: [{ type: 'string' }] }, 'json'],
    [{ $ref: '#/x' }, 'json'],
    [{}, 'json'],
  ] as [JsonObject, string][])('%j is %s', (one, kind) => {
    expect(kindOf(one)).toBe(kind);
  });

  it('ends somewhere, however deep a schema is', () => {
    const deep: JsonObject = { type: 'object', properties: {} };
    (deep['properties'] as JsonObject)['again'] = deep;
    expect(kindOf(deep, 5)).toBe('json');
    expect(() => initialValue({ ...deep, required: ['again'] })).not.toThrow();
  });
});

describe('a form', () => {
  it('has what is needed first, and starts with the defaults', () => {
    expect(propertiesOf(schema).map((property) => property.name)).toEqual(['name', 'limit', 'action', 'deep']);
    expect(initialValue(schema)).toEqual({ limit: 3 });
  });

  it.each([
    [{ name: 'a', limit: 3 }, []],
    [{}, [['name', 'This is needed.']]],
    [{ name: '' }, [['name', 'It must not be empty.']]],
    [{ name: 'a', limit: 21 }, [['limit', 'At most 20.']]],
    [{ name: 'a', limit: 1.5 }, [['limit', 'A whole number is expected.']]],
    [{ name: 'a', limit: 'many' }, [['limit', 'A whole number is expected.']]],
    [{ name: 'a', action: 'drop' }, [['action', 'One of "list", "show", 7.']]],
    [{ name: 'a', action: 7 }, []],
    [{ name: 'a', deep: {} }, [['deep.x', 'This is needed.']]],
    [{ name: 'a', deep: { x: 1, tags: ['abcd'] } }, [['deep.tags.0', 'At most 3 characters; it has 4.']]],
    [{ name: 'a', deep: { x: 1, tags: ['a', 'b', 'c'] } }, [['deep.tags', 'At most 2 items.']]],
    [{ name: 'a', other: 1 }, [['other', 'There is no "other" here.']]],
  ] as [Json, [string, string][]][])('says of %j what is wrong', (value, problems) => {
    expect(problemsOf(schema, value).map((problem) => [problem.path.join('.'), problem.message])).toEqual(problems);
  });

  it('counts characters, not code units', () => {
    expect(problemsOf({ type: 'string', maxLength: 1 }, '🙂')).toEqual([]);
  });
});

describe('withMember', () => {
  it('sets and removes without touching the value before', () => {
    const before = { a: { b: [1, 2] } };
    expect(withMember(before, ['a', 'b', 1], 3)).toEqual({ a: { b: [1, 3] } });
    expect(withMember(before, ['a', 'b', 0], undefined)).toEqual({ a: { b: [2] } });
    expect(withMember(before, ['a'], undefined)).toEqual({});
    expect(withMember(undefined, ['x', 'y'], true)).toEqual({ x: { y: true } });
    expect(before).toEqual({ a: { b: [1, 2] } });
  });
});

describe('numberOf', () => {
  it.each([
    ['', undefined],
    ['  ', undefined],
    ['12', 12],
    ['-1.5e3', -1500],
    ['twelve', 'twelve'],
    ['Infinity', 'Infinity'],
  ])('reads %j as %j', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });
});
