// SPDX-License-Identifier: Apache-2.0
// Tests that the server misreads no front matter: yaml.mjs corpus|fixtures
// Every listed front matter must equal what a full YAML 1.2 parser reads from the same bytes. list_skills must have the
// same name and description. Every skill that is not listed must have a reason that a person can read.
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { check, corpus, finish, fixtures, optionsFor, reasonsFor, skillFiles } from './check.mjs';
import { connect } from './connect.mjs';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';

const root = process.argv[2] === 'corpus' ? corpus : fixtures;
const { client, stderr } = await connect('legacy', root, optionsFor(root));
const { skills } = await new SkillsClient(client).list();
const offered = new Map();
for (let offset = 0; ;) {
  const { structuredContent } = await client.callTool({ name: 'list_skills', arguments: { offset, detail: true } });
  for (const skill of structuredContent.data.skills) offered.set(skill.name, skill.description);
  offset += structuredContent.data.skills.length;
  if (!structuredContent.data.hasMore) break;
}

function frontMatter(bytes) {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const block = /^---[ \t]*\n([\s\S]*?)^---[ \t]*$/m.exec(text);
  if (!block) throw new Error('no front matter');
  return parse(block[1], { version: '1.2', schema: 'core', uniqueKeys: true });
}

// A list has only the beginning of a description that is longer than the format allows (1,024 characters).
function isDescription(listed, read) {
  const text = String(read).trim();
  if (Array.from(text).length <= 1024) return listed.trim() === text;
  return listed.endsWith('\u2026') && listed.length > 512 && text.startsWith(listed.slice(0, -1));
}

const byDigest = new Map();
for (const skill of skills) byDigest.set(skill.resources.find(({ uri }) => uri === skill.uri).digest, skill);
let same = 0;
const rest = [];
for (const file of skillFiles(root)) {
  const skill = byDigest.get(file.digest);
  if (!skill) { rest.push(file); continue; }
  let read;
  try { read = frontMatter(file.bytes); } catch (error) { check(false, `${file.path}: listed, but a YAML parser refuses it: ${error.message}`); continue; }
  same += check(isDeepStrictEqual(skill.frontmatter, read),
    `${file.path}: ${JSON.stringify(skill.frontmatter).slice(0, 400)} is not ${JSON.stringify(read).slice(0, 400)}`) ? 1 : 0;
  const names = [...offered.keys()].filter((name) => name === read.name || name.endsWith('/' + read.name));
  check(names.some((name) => isDescription(offered.get(name), read.description)),
    `${file.path}: list_skills gives another description: ${JSON.stringify(names.map((name) => offered.get(name))).slice(0, 400)}`);
}
const reason = reasonsFor(root, stderr());
for (const { path, bytes } of rest) {
  if (check(reason(path), `${path} is not listed and nothing says why`)) console.log(`not listed: ${path}: ${reason(path).slice(0, 300)}`);
  // If only the tools offer the skill, its description must be right as well.
  let read;
  try { read = frontMatter(bytes); } catch { continue; }
  const names = [...offered.keys()].filter((name) => name === read?.name || name.endsWith('/' + read?.name));
  if (names.length) check(names.some((name) => isDescription(offered.get(name), read.description)), `${path}: list_skills gives another description`);
}
console.log(`${same} front matters equal, ${rest.length} skills not listed`);
await client.close();
finish();
