// SPDX-License-Identifier: Apache-2.0
// Starts the servers of the tests on ports that the kernel chooses, and one address that stays while a server restarts.
import { spawn, execFileSync } from 'node:child_process';
import { createServer as createHttpServer, request as askHttp } from 'node:http';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

const program = process.env.SKILLHOST;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SKILLHOST_')));
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

// Starts a server. It resolves once every source has answered or failed. `log` collects the server's log.
export async function startServer(...options) {
  const child = spawn(program, ['serve', '--transport', 'http', '--port', '0', ...options], { stdio: ['ignore', 'ignore', 'pipe'], env: environment });
  running.add(child);
  const log = [];
  const ended = new Promise((resolve) => child.on('exit', resolve)).then(() => running.delete(child));
  const lines = createInterface({ input: child.stderr });
  const port = await new Promise((resolve, reject) => {
    let found;
    lines.on('line', (line) => {
      log.push(line);
      found ??= / serving on https?:\/\/[^/]*:(\d+)\//.exec(line)?.[1];
      if (found) resolve(Number(found));
    });
    lines.on('close', () => reject(new Error(`the server did not start:\n${log.join('\n')}`)));
  });
  // Clients may connect before the first catalogue is complete.
  while ((await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).status === 'starting') await setTimeout(10);
  return {
    port, log, origin: `http://127.0.0.1:${port}`,
    async end() { child.kill('SIGTERM'); await ended; },
  };
}

// Starts a node script that prints one line of JSON when it is ready, and that ends with its stdin.
export async function startScript(path, ...options) {
  const child = spawn(process.execPath, [path, ...options], { stdio: ['pipe', 'pipe', 'ignore'] });
  running.add(child);
  for await (const line of createInterface({ input: child.stdout })) return { ...JSON.parse(line), end: () => child.kill() };
  throw new Error(`${path} has said nothing`);
}

export function command(...words) {
  return execFileSync(program, words, { encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

// Sends one request outside of any page, and returns the answer.
export async function ask(server, method, params, { token, client } = {}) {
  const name = params.uri ?? params.name;
  const response = await fetch(`${server.origin}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method,
      ...(name && { 'Mcp-Name': name }), ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {},
      ...(client && { 'io.modelcontextprotocol/clientInfo': { name: client, version: '1' } }) } } }),
  });
  return response.json();
}

// Returns true if the server has read all of its skills.
export async function isReady(server) {
  const answer = await ask(server, 'resources/list', {});
  return answer.result !== undefined && answer.result._meta?.['org.skillhost/loading'] === undefined;
}

// Forwards connections to the current server, and refuses them while there is none.
export async function startGate() {
  let target;
  const open = new Set();
  const gate = createServer((client) => {
    if (target === undefined) return client.destroy();
    const server = connect(target, '127.0.0.1');
    for (const [one, other] of [[client, server], [server, client]]) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => { open.delete(one); other.destroy(); });
    }
    client.pipe(server).pipe(client);
  });
  await new Promise((resolve) => gate.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${gate.address().port}`,
    lead(port) { target = port; },
    shut() { target = undefined; open.forEach((one) => one.destroy()); },
    end() { this.shut(); gate.close(); },
  };
}

// Forwards requests below a path to a server, and answers 404 to all others.
export async function startProxy(path) {
  let target;
  const beside = [];
  const proxy = createHttpServer((request, response) => {
    if (!request.url.startsWith(`${path}/`)) {
      beside.push(request.url);
      return response.writeHead(404).end();
    }
    const asked = askHttp({ host: '127.0.0.1', port: target, method: request.method, path: request.url.slice(path.length), headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${proxy.address().port}`, beside,
    lead(port) { target = port; },
    end() { proxy.closeAllConnections(); proxy.close(); },
  };
}
