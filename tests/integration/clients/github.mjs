// SPDX-License-Identifier: Apache-2.0
// Tests the source `github` with via: api against another project's GitHub API: github.mjs
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, finish, server } from './check.mjs';

if (Number(process.versions.node.split('.')[0]) < 22) {
  console.log('skipped: the emulator needs Node 22\n0 passed, 0 failed, 1 skipped');
  process.exit(77);
}

const folder = mkdtempSync(join(process.env.HOME, 'github-'));
const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');
const url = `http://127.0.0.1:${port}`;

writeFileSync(join(folder, 'seed.json'), JSON.stringify({ github: { users: [{ login: 'owner' }],
  repos: [{ owner: 'owner', name: 'skills', default_branch: 'main', auto_init: true }] } }));
// The scripts run from a folder beside the packages.
const program = fileURLToPath(new URL('../node_modules/emulate/dist/index.js', import.meta.url));
const emulator = spawn(process.execPath, [program, 'start', '--service', 'github', '--port', String(port), '--seed', join(folder, 'seed.json')],
  { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => emulator.kill());
// The emulator prints "Ready" once it listens.
for await (const part of emulator.stdout) if (String(part).includes('Ready')) break;

/** Puts a file into the repository through the API, as any client would. */
async function put(path, text) {
  const answer = await fetch(`${url}/repos/owner/skills/contents/${path}`, { method: 'PUT', headers: { Authorization: 'Bearer x' },
    body: JSON.stringify({ message: 'change', content: Buffer.from(text).toString('base64') }) });
  check(answer.ok, `PUT ${path}: ${answer.status}`);
}
const skill = (name) => `---\nname: ${name}\ndescription: Does ${name}.\n---\nBody of ${name}.\n`;

function list(more = {}) {
  const config = { url: 'owner/skills', base_url: url, api_url: url, via: 'api', ...more };
  writeFileSync(join(folder, 'skillhost.json'), JSON.stringify({ sources: [{ name: 'remote', plugin: 'github', config }] }));
  return spawnSync(server, ['--log-level', 'INFO', '--config', join(folder, 'skillhost.json'), 'source', 'refresh', '--json'], { encoding: 'utf8', timeout: 120_000,
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } });
}

await put('alpha/SKILL.md', skill('alpha'));
await put('alpha/notes/é.md', 'Not ASCII.');
for (const name of ['beta', 'nested/gamma']) await put(`${name}/SKILL.md`, skill(name.split('/').at(-1)));
const first = list();
const found = JSON.parse(first.stdout).sources[0];
check(first.status === 0 && found.skills === 3, `three skills: ${first.stdout} ${first.stderr}`);
const branch = await (await fetch(`${url}/repos/owner/skills/commits/main`)).json();
check(first.stderr.includes(`commit ${branch.sha.slice(0, 12)} with 3 skills`), `the commit: ${first.stderr}`);
const below = list({ subpath: 'nested', ref: 'main' });
check(JSON.parse(below.stdout).sources[0].skills === 1, `below a subpath: ${below.stderr}`);
const gone = list({ url: 'owner/none' });
check(gone.status === 1 && gone.stdout.includes('there is no such repository'), `a repository that is not there: ${gone.stdout}`);
finish();
