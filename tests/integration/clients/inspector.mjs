// SPDX-License-Identifier: Apache-2.0
// Verifies every listed skill with the Inspector: inspector.mjs fixtures|corpus [http]
// Over HTTP the server requires a token.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serveHttp, withToken } from './connect.mjs';
import { check, corpus, finish, fixtures, optionsFor, server } from './check.mjs';

const root = process.argv[2] === 'corpus' ? corpus : fixtures;
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.log('skipped: the Inspector needs Node 22.19\n0 passed, 0 failed, 1 skipped');
  process.exit(77);
}
const program = fileURLToPath(new URL('../node_modules/.bin/mcp-inspector', import.meta.url));

const overHttp = process.argv[3] === 'http';
const access = overHttp ? withToken() : undefined;
const served = overHttp ? await serveHttp(root, [...optionsFor(root), ...access.options]) : undefined;
const way = overHttp
  ? ['--transport', 'http', '--server-url', served.url.href, '--header', `Authorization: Bearer ${access.token}`]
  : ['--transport', 'stdio'];
for (const era of ['legacy', 'modern']) {
  const common = ['--cli', ...way, '--protocol-era', era, '--format', 'json'];
  const target = overHttp ? [] : ['--', server, '--skills-dir', root, ...optionsFor(root)];
  const run = (...words) => spawnSync(process.execPath, [program, ...common, ...words, ...target],
    { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 300000 });
  const verified = run('--method', 'skills/list', '--verify', '--require-digests', '--skill-catalog-max-skills', '100000');
  check(verified.status === 0, `${era}: --verify ends with ${verified.status ?? verified.signal}: ${verified.stderr.slice(-2000)}`);
  const reports = verified.stdout.trim().split('\n').filter(Boolean).length;
  check(reports > 0, `${era}: no report`);
  console.log(`${era}: ${reports} lines of report`);
  const strict = run('--method', 'tools/list', '--strict');
  check(strict.status === 0, `${era}: tools/list --strict ends with ${strict.status ?? strict.signal}: ${strict.stderr.slice(-2000)}`);
}
finish();
