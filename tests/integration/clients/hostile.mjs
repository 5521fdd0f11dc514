// SPDX-License-Identifier: Apache-2.0
// Lists and loads everything of a server with the official TypeScript client, as one JSON object: hostile.mjs ERA
// FOLDER OPTION...
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { pages } from './check.mjs';
import { connect } from './connect.mjs';

const [era, folder, ...options] = process.argv.slice(2);

/** Returns the result of `work`. An error names the request. */
async function of(what, work) {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what}: ${error?.message ?? error}`);
  }
}

const { client } = await connect(era, folder, options);
const extension = new SkillsClient(client);
const { skills } = await of('skills/list', () => extension.list());
for (const skill of skills) {
  for (const { uri } of skill.resources) {
    const { verified } = await of(uri, () => extension.read(skill, uri));
    if (!verified) throw new Error(`${uri} is not verified`);
  }
}
const tools = await of('tools/list', () => pages('tools', (more) => client.listTools(more)));
const resources = await of('resources/list', () => pages('resources', (more) => client.listResources(more)));
const prompts = await of('prompts/list', () => pages('prompts', (more) => client.listPrompts(more)));
const loaded = {}, asked = {}, read = {};
for (const { name } of prompts) {
  const result = await of(`load_skill ${name}`, () => client.callTool({ name: 'load_skill', arguments: { skill_name: name } }));
  const text = result.content.map((one) => one.text ?? '').join('');
  if (result.isError) throw new Error(`load_skill ${name}: ${text}`);
  loaded[name] = text;
  const { messages } = await of(`prompts/get ${name}`, () => client.getPrompt({ name }));
  asked[name] = messages.map(({ content }) => content.text ?? '').join('');
}
for (const { uri } of resources) {
  const { contents } = await of(`resources/read ${uri}`, () => client.readResource({ uri }));
  read[uri] = contents[0]?.text ?? null;
}
console.log(JSON.stringify({
  skills: skills.map(({ uri }) => uri), tools: tools.map(({ name }) => name), loaded, asked, read,
}));
await client.close();
