// SPDX-License-Identifier: Apache-2.0
// Tests that official clients accept the form of answers for hosts of agents: host_form.mjs sdk|legacy|modern[-http]
import { attempt, check, fixtures, finish } from './check.mjs';
import { connect } from './connect.mjs';

// Over HTTP the newest revision has no sessions, so the server cannot remember which skills are loaded.
const again = process.argv[2] === 'modern-http' ? '# Greeter' : 'loaded already';
for (const [name, text] of [['claude-code', true], ['Visual Studio Code', true], ['a-program', false]]) {
  const { client } = await connect(process.argv[2], fixtures, [], name);
  // If a tool declares an output schema, the official clients reject its results without structured content.
  const { tools } = await client.listTools();
  check(tools.every((tool) => (tool.outputSchema === undefined) === text), `${name}: output schemas`);
  for (const [tool, given, said] of [
    ['list_skills', {}, '- greeter: '], ['find_helpful_skills', { task_description: 'greet a visitor' }, '- greeter ('],
    ['load_skill', { skill_name: 'greeter' }, '# Greeter'], ['load_skill', { skill_name: 'greeter' }, again],
    ['read_skill_document', { skill_name: 'greeter', document_path: 'references/phrases.md' }, 'phrases.md'],
    ['load_skill', { skill_name: 'none' }, 'NOT_FOUND: '], ['get_server_stats', {}, '"uptime_s"'],
  ]) {
    const what = `${name}: ${tool} ${JSON.stringify(given)}`;
    const result = await attempt(what, () => client.callTool({ name: tool, arguments: given }));
    if (!result) continue;
    check(result.content[0].text.includes(said), `${what}: ${result.content[0].text.slice(0, 200)}`);
    check((result.structuredContent === undefined) === text, `${what}: structured content`);
    check((result._meta?.['org.skillhost/result'] !== undefined) === text, `${what}: the envelope in _meta`);
  }
  await client.close();
}
finish();
