// SPDX-License-Identifier: Apache-2.0
// Tests every file with SkillsClient, the strictest reader of the skills extension: skills_client.mjs
// legacy|modern[-http|-connect] fixtures|corpus
// It lists all pages without a refused entry, gets every skill, and reads and verifies every file (size, digest, front
// matter). It also walks every directory, and must find exactly the listed files.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { attempt, check, corpus, each, finish, fixtures, optionsFor, reasonsFor, sha256, skillFiles } from './check.mjs';
import { connect } from './connect.mjs';

const [era, data] = process.argv.slice(2);
const root = data === 'corpus' ? corpus : fixtures;
const { client, stderr } = await connect(era, root, optionsFor(root));
const skills = new SkillsClient(client);
check(skills.supported, 'the extension is declared');
check(skills.directoryRead, 'directoryRead is declared');

const entries = (await attempt('skills/list with no entry refused', () => skills.list()))?.skills ?? [];
const onDisk = skillFiles(root);
const digests = new Set(readdirSync(root, { recursive: true })
  .map((path) => join(root, path)).filter((path) => statSync(path).isFile()).map((path) => sha256(readFileSync(path))));
check(entries.length > 0, 'at least one skill is listed');

let files = 0;
async function walk(uri, found) {
  const { resources } = await skills.readDirectory(uri);
  for (const resource of resources) {
    if (resource.mimeType === 'inode/directory') await walk(resource.uri, found);
    else found.push(resource.uri);
  }
}

await each(entries, 8, async (entry) => {
  const got = await attempt(`skills/get ${entry.uri}`, () => skills.get(entry.uri));
  check(JSON.stringify(got?.skill) === JSON.stringify(entry), `skills/get differs from skills/list: ${entry.uri}`);
  const first = await attempt(`read ${entry.uri}`, () => skills.read(entry));
  check(first?.verified && first.frontmatter?.name === entry.frontmatter.name, `not verified: ${entry.uri}`);
  for (const resource of entry.resources) {
    const file = await attempt(`read ${resource.uri}`, () => skills.read(entry, resource.uri));
    check(file?.verified && file.bytes.length === resource.size, `not verified: ${resource.uri}`);
    check(digests.has(resource.digest), `no file on disk has the digest of ${resource.uri}`);
    files += 1;
  }
  const found = [];
  await attempt(`walk ${entry.uri}`, () => walk(entry.uri.replace(/\/SKILL\.md$/, ''), found));
  const wanted = entry.resources.map((resource) => resource.uri).sort();
  check(JSON.stringify(found.sort()) === JSON.stringify(wanted), `the directories of ${entry.uri} hold other files than listed`);
});

const listed = new Set(entries.flatMap((entry) => entry.resources
  .filter((resource) => resource.uri === entry.uri).map((resource) => resource.digest)));
const missing = onDisk.filter((file) => !listed.has(file.digest));
const reason = reasonsFor(root, stderr());
for (const { path } of missing) check(reason(path), `not listed, and nothing says why: ${path}`);
console.log(`${onDisk.length} skills on disk, ${entries.length} listed, ${missing.length} not listed, ${files} files read and verified`);
await client.close();
finish();
