// SPDX-License-Identifier: Apache-2.0
// Serves a folder of skills with the official server for TypeScript and its skills extension:
// skills_server.mjs FOLDER stdio|PORT
// On SIGUSR1 it reads the folder again, and tells clients if the list has changed.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [folder, where] = process.argv.slice(2);
const skills = await loadSkills(folder, { prefix: 'official', pageSize: 2 });

function create() {
  const server = new McpServer({ name: 'official', version: '2.4.0' }, { capabilities: { resources: { listChanged: true } } });
  skills.attach(server);
  return server;
}

let handler;
process.on('SIGUSR1', async () => {
  const changes = await skills.reload();
  if (changes.listChanged) handler?.notify.resourcesChanged();
});

if (where === 'stdio') {
  serveStdio(create);
} else {
  handler = createMcpHandler(create);
  createServer(async (request, response) => {
    const answer = await handler.fetch(new Request(`http://127.0.0.1:${where}${request.url}`, {
      method: request.method, headers: request.headers, duplex: 'half',
      body: request.method === 'POST' ? Readable.toWeb(request) : undefined,
    }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) Readable.fromWeb(answer.body).on('error', () => response.destroy()).pipe(response);
    else response.end();
  }).listen(Number(where), '127.0.0.1');
}
