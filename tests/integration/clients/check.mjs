// SPDX-License-Identifier: Apache-2.0
// Counts the checks that hold and those that fail, and finds the data for the scripts.
import { readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

export const server = process.env.SKILLHOST;
export const corpus = process.env.SKILLHOST_CORPUS;
export const fixtures = process.env.SKILLHOST_FIXTURES;
/** Some of the real skills are in hidden folders. */
export const optionsFor = (root) => (root === corpus ? ['--hidden'] : []);

let passed = 0;
const failures = [];

/** Makes one check. `say` is printed if it fails. */
export function check(holds, say) {
  if (holds) passed += 1;
  else failures.push(say);
  return holds;
}

/** Makes a check that fails if `work` throws. Returns the result of `work`, or undefined. */
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

/** Returns every SKILL.md below `root` as {path, bytes, digest}. Hidden folders count only if the server reads them. */
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

/** Returns a function from the path of a SKILL.md to the reason why it is not listed, by the log or `validate`. */
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

/** Returns the items of all pages of a list. */
export async function pages(member, ask) {
  const items = [];
  for (let cursor; ;) {
    const page = await ask(cursor === undefined ? {} : { cursor });
    items.push(...page[member]);
    cursor = page.nextCursor;
    if (cursor === undefined) return items;
  }
}

// A script that stops early has failed, and reports it in the same form.
process.on('uncaughtException', (error) => {
  failures.push(`stopped: ${error?.stack ?? error}`);
  finish();
});
