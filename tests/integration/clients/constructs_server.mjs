// SPDX-License-Identifier: Apache-2.0
// An MCP server with the official SDK. Its tools have every kind of schema that a TypeScript type can express, and some
// that none can.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const schemas = {
  plain: { properties: { text: { type: 'string' }, count: { type: 'integer', minimum: 3 }, flag: { type: 'boolean' }, nothing: { type: 'null' } }, required: ['text', 'count', 'flag', 'nothing'] },
  recursive: { properties: { node: { $ref: '#/$defs/node' } }, $defs: { node: { type: 'object', properties: { node: { $ref: '#/$defs/node' }, children: { type: 'array', items: { $ref: '#/$defs/node' } }, value: { type: 'string' } }, required: ['value'] } }, required: ['node'] },
  itself: { properties: { inner: { $ref: '#' } } },
  circle: { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'string' }] }, b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'number' }] } } },
  'odd-names': { properties: { 'with-dash': { type: 'string' }, 'with space': { type: 'string' }, 'quo"te': {}, '': {}, '1st': {}, class: { type: 'string' }, $dollar: {}, 'ünï': {}, '*/': {}, '`${x}`': {} }, required: ['with-dash', 'quo"te', '', '*/'] },
  unions: { properties: { one: { oneOf: [{ type: 'string' }, { type: 'number' }] }, any: { anyOf: [{ type: 'array', items: { type: ['string', 'null'] } }, { const: false }] }, kinds: { type: ['integer', 'string', 'null'] }, nullable: { type: 'string', nullable: true }, choice: { enum: ['a', 'b', 3, null, true] }, only: { const: { deep: [1, 'x'] } } }, required: ['one', 'any', 'kinds', 'choice', 'only'] },
  intersections: { allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { $ref: '#/$defs/more' }], $defs: { more: { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] } } },
  tagged: { oneOf: [{ properties: { kind: { const: 'x' }, x: { type: 'number' } }, required: ['kind', 'x'] }, { properties: { kind: { const: 'y' } }, required: ['kind'] }] },
  tuples: { properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, items: false }, open: { type: 'array', prefixItems: [{ type: 'boolean' }], items: { type: 'string' } }, matrix: { type: 'array', items: { type: 'array', items: { type: 'number' } } }, unique: { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true } }, required: ['pair', 'open', 'matrix', 'unique'] },
  maps: { properties: { numbers: { type: 'object', additionalProperties: { type: 'number' } }, mixed: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: { type: 'number' } }, closed: { type: 'object', additionalProperties: false }, open: { type: 'object', additionalProperties: true }, patterns: { type: 'object', patternProperties: { '^x': { type: 'number' } } } }, required: ['numbers', 'closed'] },
  texts: { properties: { when: { type: 'string', format: 'date-time' }, code: { type: 'string', minLength: 20, maxLength: 20 }, id: { type: 'string', format: 'uuid' }, step: { type: 'number', multipleOf: 0.5, exclusiveMinimum: 1 } }, required: ['when', 'code', 'id', 'step'] },
  comments: { description: 'ends */ here', properties: { a: { type: 'string', description: 'One line.\nAnother */ one.\n\u202E' } } },
  unsayable: { properties: { far: { $ref: 'https://example.com/schema' }, hex: { type: 'string', pattern: '^[0-9a-f]+$' }, not: { not: { type: 'string' } } }, required: ['hex'] },
  none: {},
};

const server = new Server({ name: 'constructs', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(schemas).map(([name, schema]) => ({ name, description: `Takes ${name}.`, inputSchema: { type: 'object', ...schema }, outputSchema: { type: 'object', ...schema } })),
}));
await server.connect(new StdioServerTransport());
