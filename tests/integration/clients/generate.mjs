// SPDX-License-Identifier: Apache-2.0
// Tests the skill that `skillhost generate` writes about a server: generate.mjs everything[-http] | own | constructs
// Its types compile with tsc --strict, its examples are valid by Ajv, the same server makes the same bytes, and
// SkillsClient reads and verifies it. "constructs" is this project's own server with every kind of schema.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv2020 from 'ajv/dist/2020.js';
import Ajv from 'ajv';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { attempt, check, finish, fixtures, server } from './check.mjs';
import { connect } from './connect.mjs';

const [kind] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'skillhost-generated-'));
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const everything = join(modules, '@modelcontextprotocol/server-everything/dist/index.js');

async function freePort() {
  const socket = createServer();
  await new Promise((resolve) => { socket.listen(0, '127.0.0.1', resolve); });
  const { port } = socket.address();
  await new Promise((resolve) => { socket.close(resolve); });
  return port;
}

/** Returns the arguments with which `skillhost generate` reaches the server. */
async function wayTo() {
  if (kind === 'own') return ['--', server, '--no-config', '--skills-dir', fixtures];
  if (kind === 'everything') return ['--', process.execPath, everything, 'stdio'];
  if (kind === 'constructs') return ['--', process.execPath, fileURLToPath(new URL('constructs_server.mjs', import.meta.url))];
  const port = await freePort();
  const child = spawn(process.execPath, [everything, 'streamableHttp'], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => child.kill());
  let text = '';
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => { text += chunk; if (/listening/.test(text)) resolve(); });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
  return ['--url', `http://127.0.0.1:${port}/mcp`];
}

const way = await wayTo();
function generate(folder) {
  const done = spawnSync(server, ['generate', 'generated', '--output', folder, '--json', ...way], { encoding: 'utf8', timeout: 120_000 });
  check(done.status === 0, `generate ends with ${done.status ?? done.signal}: ${done.stderr.slice(-1500)}`);
  return JSON.parse(done.stdout || '{}');
}
const files = (folder) => readdirSync(folder, { recursive: true }).map(String).filter((path) => statSync(join(folder, path)).isFile()).sort();

const folder = join(scratch, 'skills', 'generated');
const said = generate(folder);
console.log(JSON.stringify(said));
check(said.changed === true && said.tools > 0, 'it is written');
check(generate(folder).changed === false, 'the same server leaves it untouched');
generate(join(scratch, 'again'));
for (const path of files(folder))
  check(readFileSync(join(folder, path)).equals(readFileSync(join(scratch, 'again', path))), `${path} is another the second time`);
check(files(folder).filter((path) => path.startsWith('references/tools/')).length === said.tools, 'each tool has a page');

const tsc = join(modules, 'typescript/bin/tsc');
const types = join(folder, 'references/types.ts');
const compiled = spawnSync(process.execPath, [tsc, '--noEmit', '--strict', '--target', 'es2022', types], { encoding: 'utf8' });
check(compiled.status === 0, `tsc: ${compiled.stdout.slice(0, 3000)}`);

/** Returns the block of JSON below a heading. */
function block(page, heading) {
  const found = new RegExp(`## ${heading}\\n[^#]*?\`\`\`json\\n([\\s\\S]*?)\\n\`\`\`\\n`).exec(page);
  return found ? JSON.parse(found[1]) : undefined;
}
let examples = 0;
let calls = "import type { Tools } from './types.js';\n";
for (const path of files(folder).filter((one) => one.startsWith('references/tools/'))) {
  const page = readFileSync(join(folder, path), 'utf8');
  const schema = block(page, 'Arguments');
  const call = block(page, 'Example call');
  if (!check(call?.method === 'tools/call', `${path} has no example`) || !schema) continue;
  const Reader = /2020-12/.test(schema.$schema ?? '2020-12') ? Ajv2020 : Ajv;
  const validate = new Reader.default({ strict: false, validateFormats: false }).addSchema({}, 'https://example.com/schema').compile(schema);
  const sure = !page.includes('that were not checked here');
  let valid;
  // For a schema that refers only to itself, Ajv makes a function that never returns.
  try { valid = validate(call.params.arguments); } catch (error) { check(error instanceof RangeError && path.endsWith('/circle.md'), `${path}: ${error}`); continue; }
  if (sure) check(valid, `${path}: ${JSON.stringify(call.params.arguments)}: ${JSON.stringify(validate.errors)}`);
  examples += sure && valid ? 1 : 0;
  // If the schema accepts a value, the type must accept it too.
  if (valid && page.includes('As a type')) calls += `({ arguments: ${JSON.stringify(call.params.arguments)} }) satisfies { arguments: Tools[${JSON.stringify(call.params.name)}]['arguments'] };\n`;
}
console.log(`${examples} of ${said.tools} examples were checked`);
check(examples > 0, 'some examples are sure');
writeFileSync(join(folder, '../calls.ts'), calls.replace('./types.js', './generated/references/types.js'));
const called = spawnSync(process.execPath, [tsc, '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', join(folder, '../calls.ts')], { encoding: 'utf8' });
check(called.status === 0, `the examples do not fit the types: ${called.stdout.slice(0, 3000)}`);

const validated = spawnSync(server, ['validate', '--strict', folder], { encoding: 'utf8' });
check(validated.status === 0, `validate: ${validated.stdout}`);
const { client } = await connect('modern', dirname(folder));
const reader = new SkillsClient(client);
const { skills } = await reader.list();
check(skills.length === 1, 'the extension lists it');
for (const { uri } of skills[0]?.resources ?? []) await attempt(`read ${uri}`, async () => check((await reader.read(skills[0], uri)).verified, `${uri} is not verified`));
await client.close();
if (kind === 'constructs') {
  const text = readFileSync(types, 'utf8');
  for (const wanted of ['node?: ', '[key: string]: number', '"with-dash"', 'null', ' & ', ' | ', '...'])
    check(text.includes(wanted), `the types hold no ${wanted}`);
  check(execFileSync(server, ['--version'], { encoding: 'utf8' }).startsWith('skillhost'), 'the server runs');
}
finish();
