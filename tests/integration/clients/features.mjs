// SPDX-License-Identifier: Apache-2.0
// Uses every tool, resource, prompt, completion and subscription as a host does: features.mjs sdk|legacy|modern, each
// also with -http, -connect or -remote. It checks that every structuredContent is valid by its tool's outputSchema
// (JSON Schema 2020-12).
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { attempt, check, finish, fixtures, pages } from './check.mjs';
import { connect } from './connect.mjs';

const kind = process.argv[2].split('-')[0];
const { client, on } = await connect(process.argv[2], fixtures);
check(client.getServerVersion()?.name === 'skillhost', 'the server says its name');
check(/\w/.test(client.getInstructions() ?? ''), 'the server gives instructions');

// Tools.
const tools = await pages('tools', (cursor) => client.listTools(cursor));
const calls = {
  list_skills: [{}, { limit: 2 }, { limit: 2, offset: 2 }, { detail: true }],
  find_helpful_skills: [{ task_description: 'greet a visitor' }, { task_description: 'nails', top_k: 20, list_documents: false },
    { task_description: 'zzzqqq' }, {}, { task_description: 'x', top_k: 21 }],
  read_skill_document: [{ skill_name: 'greeter', document_path: 'references/phrases.md' },
    { skill_name: 'greeter', document_path: '**' }, { skill_name: 'greeter', document_path: '**', include_base64: true },
    { skill_name: 'greeter' }, { skill_name: 'greeter', document_path: 'none' }, { skill_name: 7 }],
  load_skill: [{ skill_name: 'greeter' }, { skill_name: 'greeter' }, { skill_name: 'greeter', force_reload: true },
    { skill_name: 'none' }, {}],
  unload_skill: [{ skill_name: 'greeter' }, { skill_name: 'greeter' }, { skill_name: 'none' }, {}],
  get_loaded_skills_info: [{}],
  reload_skills_directory: [{}],
  get_server_stats: [{}],
};
const ajv = new Ajv({ strict: false, allErrors: true });
check(tools.length === Object.keys(calls).length, `${tools.length} tools instead of ${Object.keys(calls).length}`);
for (const tool of tools) {
  await attempt(`${tool.name}: inputSchema`, () => ajv.compile(tool.inputSchema));
  const valid = await attempt(`${tool.name}: outputSchema`, () => ajv.compile(tool.outputSchema));
  for (const given of calls[tool.name] ?? [{}]) {
    const what = `${tool.name} ${JSON.stringify(given)}`;
    const result = await attempt(what, () => client.callTool({ name: tool.name, arguments: given }));
    if (!result) continue;
    check(result.structuredContent, `${what}: no structuredContent`);
    if (valid) check(valid(result.structuredContent), `${what}: ${ajv.errorsText(valid.errors)}: ${JSON.stringify(result.structuredContent).slice(0, 600)}`);
    check(result.structuredContent?.success === !result.isError, `${what}: isError and success disagree`);
    check(result.content.some((part) => part.type === 'text' && part.text), `${what}: nothing to read`);
  }
}
const refused = await client.callTool({ name: 'no_such_tool', arguments: {} }).then(() => null, (error) => error);
check(refused?.code === -32602, `an unknown tool gives ${refused?.code}`);

// Resources.
const resources = await pages('resources', (cursor) => client.listResources(cursor));
check(resources.length > 0, 'resources are listed');
for (const { uri } of resources) {
  const read = await attempt(`resources/read ${uri}`, () => client.readResource({ uri }));
  check(read?.contents[0]?.uri === uri, `resources/read ${uri} answers with another`);
}
const templates = await pages('resourceTemplates', (cursor) => client.listResourceTemplates(cursor));
check(templates.length > 0, 'templates are listed');

// Prompts and completion.
const prompts = await pages('prompts', (cursor) => client.listPrompts(cursor));
check(prompts.some((prompt) => prompt.name === 'greeter'), 'greeter is a prompt');
for (const prompt of prompts) {
  const given = Object.fromEntries((prompt.arguments ?? []).map((argument) => [argument.name, 'Ada']));
  const got = await attempt(`prompts/get ${prompt.name}`, () => client.getPrompt({ name: prompt.name, arguments: given }));
  check(got?.messages.length > 0, `prompts/get ${prompt.name} is empty`);
  for (const argument of prompt.arguments ?? [])
    await attempt(`complete ${prompt.name} ${argument.name}`, () => client.complete(
      { ref: { type: 'ref/prompt', name: prompt.name }, argument: { name: argument.name, value: '' } }));
}
for (const { uriTemplate } of templates)
  for (const [, name] of uriTemplate.matchAll(/\{[+/]?(\w+)\*?\}/g))
    await attempt(`complete ${uriTemplate} ${name}`, () => client.complete(
      { ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name, value: '' } }));

// Subscribed clients are notified of a change on disk.
const told = (method) => new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error(`no ${method}`)), 20000);
  on(method, (message) => { clearTimeout(late); resolve(message); });
});
const greeter = resources.find(({ uri }) => uri.endsWith('/folded/SKILL.md')).uri;
const awaited = ['resources/updated', 'resources/list_changed', 'prompts/list_changed', 'tools/list_changed']
  .map((name) => attempt(`notifications/${name}`, () => told(`notifications/${name}`)));
const subscription = kind === 'modern'
  ? await client.listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true, resourceSubscriptions: [greeter] })
  : await client.subscribeResource({ uri: greeter });
mkdirSync(join(fixtures, 'folded'), { recursive: true });
const beside = join(fixtures, 'folded', '.new');
writeFileSync(beside, '---\nname: folded\ndescription: Changed.\n---\nChanged.\n');
renameSync(beside, join(fixtures, 'folded', 'SKILL.md'));
const [updated] = await Promise.all(awaited);
check(updated?.params.uri === greeter, 'the change names the resource');
const changed = await client.readResource({ uri: greeter }, kind === 'modern' ? { cacheMode: 'refresh' } : undefined);
check(changed.contents[0].text.includes('Changed.'), 'the new text is read');
if (kind === 'modern') {
  check(subscription.honoredFilter.resourcesListChanged === true, 'the subscription is honoured');
  await attempt('closing the subscription', () => subscription.close());
} else {
  await attempt('resources/unsubscribe', () => client.unsubscribeResource({ uri: greeter }));
  await attempt('ping', () => client.ping());
  await attempt('logging/setLevel', () => client.setLoggingLevel('warning'));
}
await client.close();
finish();
