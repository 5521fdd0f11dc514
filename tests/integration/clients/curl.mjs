// SPDX-License-Identifier: Apache-2.0
// Tests what a shell script does with curl: curl.mjs fixtures
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish, fixtures } from './check.mjs';
import { serveHttp, withToken } from './connect.mjs';

if (spawnSync('curl', ['--version']).status !== 0) {
  console.log('skipped: there is no curl\n0 passed, 0 failed, 1 skipped');
  process.exit(77);
}

const { token, options } = withToken();
const unix = join(mkdtempSync(join(process.env.HOME, 'socket-')), 'mcp');
const { url } = await serveHttp(fixtures, [...options, '--listen', '127.0.0.1', '--listen', `unix:${unix}`]);
const own = ['--header', `Authorization: Bearer ${token}`];
const json = ['--header', 'Content-Type: application/json', '--header', 'Accept: application/json, text/event-stream'];

/** Returns status, fields and text of an answer. */
function curl(words, input) {
  const data = input === undefined ? [] : ['--data-binary', typeof input === 'string' ? input : JSON.stringify(input)];
  const run = spawnSync('curl', ['--silent', '--show-error', '--max-time', '20', '--include', ...data, ...words], { encoding: 'utf8' });
  check(run.status === 0, `curl ${words.join(' ')}: ${run.status} ${run.stderr}`);
  // A 100 Continue may come first.
  const [head, ...rest] = run.stdout.replace(/^HTTP\/1.1 100[^]*?\r\n\r\n/, '').split('\r\n\r\n');
  const fields = Object.fromEntries(head.split('\r\n').slice(1).map((line) => line.split(/: (.*)/s)).map(([name, value]) => [name.toLowerCase(), value]));
  return { status: Number(head.split(' ')[1]), fields, text: rest.join('\r\n\r\n') };
}
const call = (method, params = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const initialize = call('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'curl', version: '1' } });

const nobody = curl([...json, url.href], call('tools/list'));
check(nobody.status === 401 && nobody.fields['www-authenticate']?.includes('resource_metadata='), `without a token: ${nobody.status}`);
const document = curl([new URL('/.well-known/oauth-protected-resource/mcp', url).href]);
check(document.status === 200 && JSON.parse(document.text).resource === url.href, `the metadata: ${document.text}`);
const lone = curl([...json, ...own, url.href], call('tools/list'));
check(lone.status === 200 && JSON.parse(lone.text).result.tools.length > 0, `tools/list: ${lone.status}`);
const upload = curl([...json, ...own, '--header', 'Expect: 100-continue', '--header', 'Transfer-Encoding: chunked', url.href],
  call('tools/call', { name: 'find_helpful_skills', arguments: { task_description: 'x'.repeat(50000) } }));
check(upload.status === 200 && JSON.parse(upload.text).result, `a large request in chunks: ${upload.status}`);
const local = curl([...json, ...own, '--unix-socket', unix, 'http://localhost/mcp'], call('ping'));
check(local.status === 200, `over the unix socket: ${local.status}`);

const begun = curl([...json, ...own, url.href], initialize);
const session = begun.fields['mcp-session-id'];
check(begun.status === 200 && session, `initialize: ${begun.status}`);
const within = [...own, '--header', `Mcp-Session-Id: ${session}`, '--header', 'MCP-Protocol-Version: 2025-11-25'];
check(curl([...json, ...within, url.href], { jsonrpc: '2.0', method: 'notifications/initialized' }).status === 202, 'a notification');
const loaded = curl([...json, ...within, url.href], call('tools/call', { name: 'load_skill', arguments: { skill_name: 'greeter' } }));
check(loaded.status === 200 && loaded.text.includes('greeter'), `load_skill: ${loaded.status}`);
// This reads the session's stream as it arrives, until the session ends.
const stream = spawn('curl', ['--silent', '--no-buffer', '--include', '--max-time', '20', '--header', 'Accept: text/event-stream', ...within, url.href]);
const ended = new Promise((resolve) => stream.on('close', resolve));
let heard = '';
const opened = new Promise((resolve) => stream.stdout.on('data', (chunk) => { heard += chunk; if (heard.includes('\r\n\r\n')) resolve(); }));
await Promise.race([opened, ended]);
check(heard.startsWith('HTTP/1.1 200') && heard.includes('text/event-stream'), `the stream: ${heard.slice(0, 200)}`);
check(curl([...within, '--request', 'DELETE', url.href]).status === 204, 'the end of the session');
check(await ended === 0, 'the stream ends in order with its session');
check(curl([...json, ...within, url.href], call('ping')).status === 404, 'a session that has ended');

for (const [words, body, status] of [
  [[...json, ...own], '{', 400],
  [[...own, '--header', 'Content-Type: text/plain'], call('ping'), 415],
  [[...json, ...own, '--header', 'Origin: https://evil.example'], call('ping'), 403],
  [[...json, ...own, '--header', 'Host: evil.example'], call('ping'), 403],
  [[...json, ...own, '--request', 'PUT'], call('ping'), 405],
]) {
  const answer = curl([...words, url.href], body);
  check(answer.status === status, `${words.slice(-1)}: ${answer.status} in place of ${status}`);
}
finish();
