// SPDX-License-Identifier: Apache-2.0
// Counts the tokens (o200k) of the answers that a model reads. README.md says how to run it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const tasks = ['fill in a PDF form and extract its tables', 'build a slide deck from these notes',
  'make an animated GIF for our chat', 'write an MCP server in Python', 'test the web application in a browser'];
const tokens = (value) => value === undefined ? 0 : countTokens(typeof value === 'string' ? value : JSON.stringify(value));

function options() {
  const found = { server: [], skills: [], client: [] };
  for (let i = 2; i < process.argv.length; i += 2) {
    const name = process.argv[i].replace(/^--/, '');
    if (!found[name] || i + 1 === process.argv.length) throw new Error(`${process.argv[i]}: write --server NAME=FILE, --skills NAME=FOLDER[,FOLDER…] or --client NAME`);
    const [key, ...rest] = process.argv[i + 1].split('=');
    found[name].push({ key, value: rest.join('=') });
  }
  if (!found.client.length) found.client.push({ key: 'claude-code' }, { key: 'a-program' });
  return found;
}

/** Talks with a server over stdio by the older protocol, as `client`. */
async function talk(server, client, folders, use) {
  const home = mkdtempSync(join(tmpdir(), 'tokens-'));
  const child = spawn(server, [...folders.flatMap((folder) => ['--skills-dir', folder]), '--log-level', 'ERROR', '--set', 'startup_wait_ms=60000'],
    { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home } });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const ask = (method, params = {}) => new Promise((resolve, reject) => {
    id += 1;
    waiting.set(id, (message) => message.error ? reject(new Error(`${method}: ${message.error.message}`)) : resolve(message.result));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  });
  try {
    const opened = await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: client, version: '1' } });
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return await use(opened, ask, (name, args = {}) => ask('tools/call', { name, arguments: args }));
  } finally {
    child.stdin.end();
    await new Promise((resolve) => child.on('exit', resolve));
    rmSync(home, { recursive: true, force: true });
  }
}

const forms = (result) => ({
  text: tokens((result.content ?? []).map(({ text }) => text ?? '').join('\n')),
  structured: tokens(result.structuredContent),
});
const add = (a, b) => ({ text: a.text + b.text, structured: a.structured + b.structured });
const none = { text: 0, structured: 0 };

/** Searches. A large catalogue may ask the client to repeat the search shortly after the start, so it does. */
async function search(call, task, left = 30) {
  const result = await call('find_helpful_skills', { task_description: task, top_k: 3 });
  if (!result.isError) return result;
  if (!left) throw new Error(result.content[0].text);
  return search(call, task, left - 1);
}

async function measure(opened, ask, call) {
  const { tools } = await ask('tools/list');
  const rows = new Map();
  rows.set('tools and instructions (structured: output schemas)', {
    text: tokens(opened.instructions) + tools.reduce((sum, { name, description, inputSchema }) => sum + tokens({ name, description, inputSchema }), 0),
    structured: tools.reduce((sum, { outputSchema }) => sum + tokens(outputSchema), 0),
  });
  const listed = await call('list_skills');
  rows.set('list_skills', forms(listed));
  let found = none;
  for (const task of tasks) found = add(found, forms(await search(call, task)));
  rows.set('a search, its first three', { text: Math.round(found.text / tasks.length), structured: Math.round(found.structured / tasks.length) });
  // If the whole list is too long, this reads a part of it.
  const part = await call('list_skills', { limit: 18 });
  const names = [...((part.content[0]?.text ?? '').matchAll(/^- ([^\s:]+): /gm))].map((one) => one[1]);
  let loaded = none;
  for (const name of names) loaded = add(loaded, forms(await call('load_skill', { skill_name: name, force_reload: true })));
  if (names.length) rows.set(`load_skill of ${names.length}`, loaded);
  return rows;
}

const { server: servers, skills, client: clients } = options();
for (const { key: name, value } of skills) {
  const columns = [];
  for (const { key: version, value: file } of servers)
    for (const { key: client } of clients)
      columns.push({ title: `${version}, ${client}`, rows: await talk(file, client, value.split(','), measure) });
  console.log(`\n## ${name}\n`);
  console.log(`| what | ${columns.map(({ title }) => `${title}: text | structured | both`).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(3 * columns.length)}`);
  for (const what of new Set(columns.flatMap(({ rows }) => [...rows.keys()]))) {
    const cells = columns.map(({ rows }) => rows.get(what) ?? none).map(({ text, structured }) => `${text} | ${structured} | ${text + structured}`);
    console.log(`| ${what} | ${cells.join(' | ')} |`);
  }
}
