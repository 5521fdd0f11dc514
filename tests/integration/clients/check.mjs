// SPDX-License-Identifier: Apache-2.0
// Counts what holds and what does not, and finds what the scripts are given.
import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

export const server = process.env.SKILLHOST;
export const corpus = process.env.SKILLHOST_CORPUS;
export const fixtures = process.env.SKILLHOST_FIXTURES;
/** A part of the real skills lies in hidden folders. */
export const optionsFor = (root) => (root === corpus ? ['--hidden'] : []);

let passed = 0;
const failures = [];

/** One check; `say` is what is shown when it fails. */
export function check(holds, say) {
  if (holds) passed += 1;
  else failures.push(say);
  return holds;
}

/** A check that fails when `work` throws; answers what `work` answers, else undefined. */
export async function attempt(what, work) {
  try {
    const value = await work();
    passed += 1;
    return value;
  } catch (error) {
    failures.push(`${what}: ${error?.message ?? error}`);
    return undefined;
  }
}

/** Prints the failures and the count, and ends the process. */
export function finish() {
  for (const line of failures.slice(0, 50)) console.log(`FAILED ${line}`);
  if (failures.length > 50) console.log(`... and ${failures.length - 50} more`);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exit(failures.length || !passed ? 1 : 0);
}

/** Runs `work` on every item, `width` at a time. */
export async function each(items, width, work) {
  const queue = [...items];
  await Promise.all(Array.from({ length: width }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  }));
}

export const sha256 = (bytes) => 'sha256:' + createHash('sha256').update(bytes).digest('hex');

/** Every SKILL.md below `root`, in hidden folders only where the server looks into them: {path, bytes, digest}. */
export function skillFiles(root) {
  const hidden = optionsFor(root).includes('--hidden');
  return readdirSync(root, { recursive: true })
    .filter((path) => /(^|\/)SKILL\.md$/.test(path) && (hidden || !path.split('/').some((part) => part.startsWith('.'))))
    .sort()
    .map((path) => {
      const bytes = readFileSync(join(root, path));
      return { path, bytes, digest: sha256(bytes) };
    });
}

/** Why a skill is not listed, by the path of its SKILL.md: what the server logged, else what `validate` finds. */
export function reasonsFor(root, log) {
  const { stdout } = spawnSync(server, ['validate', '--json', root], { cwd: '/', encoding: 'utf8', maxBuffer: 1 << 28 });
  const { findings } = JSON.parse(stdout);
  const lines = log.split('\n');
  return (path) => {
    const folder = path.replace(/\/SKILL\.md$/, '');
    const found = findings.find(({ file, severity }) => file.endsWith(`/${path}`) && severity !== 'advice');
    return lines.find((line) => line.includes(`${folder} is not served`)) ?? found?.reason;
  };
}

/** Every page of a list, by its own cursor. */
export async function pages(member, ask) {
  const items = [];
  for (let cursor; ;) {
    const page = await ask(cursor === undefined ? {} : { cursor });
    items.push(...page[member]);
    cursor = page.nextCursor;
    if (cursor === undefined) return items;
  }
}

// A script that stops half way has failed, and says so in the same form.
process.on('uncaughtException', (error) => {
  failures.push(`stopped: ${error?.stack ?? error}`);
  finish();
});
