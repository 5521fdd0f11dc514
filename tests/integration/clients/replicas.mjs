// SPDX-License-Identifier: Apache-2.0
// Runs official clients of both protocols with several servers behind a balancer, until the input ends: replicas.mjs
// GIVEN.json
// GIVEN: {url, tokens, marks: {skill: text that is in it}, clients}. It prints a report of errors and counts in one
// line. It checks that every answer is right, and that a skill loaded in a session is loaded at every server.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { url, tokens, marks, clients } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const names = Object.keys(marks);
const report = { calls: 0, sessions: 0, refused: 0, broken: 0, told: 0, again: 0, replicas: {}, wrong: [] };
let over = false;
process.stdin.resume().on('end', () => { over = true; });

/** Returns a fetch that waits if a server asks for that, and repeats requests that a killed server did not answer. */
function patient(state) {
  return async (target, init) => {
    for (let attempts = 0; ; attempts += 1) {
      let response;
      try {
        response = await fetch(target, init);
      } catch (error) {
        if (init.signal?.aborted || attempts === 50) throw error;
      }
      const replica = response?.headers.get('x-replica');
      if (response && replica && response.status !== 503) {
        report.replicas[replica] = (report.replicas[replica] ?? 0) + 1;
        return response;
      }
      if (attempts === 50) return response;
      const after = response?.headers.get('retry-after');
      await response?.body?.cancel();
      if (replica) {
        report.refused += 1;
        if (!/^\d+$/.test(after ?? '')) report.wrong.push(`a refusal with the hint ${after}`);
      } else {
        report.broken += 1;
        if (init.method === 'POST') state.unsure = true; // the killed server may have carried it out
      }
      await sleep(1000 * (Number(after) || 0.1));
    }
  };
}

async function connected(number, era, state) {
  const client = new Client({ name: 'official', version: '1' },
    { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } });
  client.setNotificationHandler('notifications/resources/list_changed', () => { report.told += 1; });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), {
    fetch: patient(state),
    requestInit: { headers: { Authorization: `Bearer ${tokens[number % tokens.length]}` } },
    reconnectionOptions: {
      initialReconnectionDelay: 50, maxReconnectionDelay: 500, reconnectionDelayGrowFactor: 1.5, maxRetries: 100,
    },
  }));
  return client;
}

/** Makes one call, and throws if its answer is wrong. */
async function step(client, era, loaded, state, random) {
  const name = names[Math.floor(random() * (era === 'modern' ? names.length : 10))];
  if (random() < 0.3) {
    const { contents } = await client.readResource({ uri: `skill://skills/${name}/SKILL.md` });
    if (!contents[0].text.includes(marks[name])) throw new Error(`another text than that of ${name}`);
    return;
  }
  state.unsure = false;
  const { structuredContent } = await client.callTool({ name: 'load_skill', arguments: { skill_name: name } });
  const { status, skill_name: said, content } = structuredContent.data;
  if (said !== name) throw new Error(`${said} in place of ${name}`);
  if (status === 'loaded' && !content.includes(marks[name])) throw new Error(`another text than that of ${name}`);
  if (status === 'already_loaded' && !loaded.has(name) && !state.unsure) throw new Error(`${name} was never loaded`);
  if (status === 'loaded' && loaded.has(name)) report.again += 1;
  if (era === 'legacy') loaded.add(name);
}

/** Returns a generator of numbers from 0 to 1, which are the same in every run. */
function numbers(seed) {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function life(number) {
  const era = number % 2 ? 'modern' : 'legacy';
  const state = {}, loaded = new Set(), random = numbers(number + 1);
  try {
    const client = await connected(number, era, state);
    report.sessions += 1;
    if (era === 'modern') await client.listen({ resourcesListChanged: true });
    while (!over) {
      await step(client, era, loaded, state, random);
      report.calls += 1;
      await sleep(20); // lets the other clients of the test make their calls too
    }
    await client.close();
  } catch (error) {
    report.wrong.push(`client ${number}, ${era}: ${error?.message ?? error}`);
  }
}

await Promise.all(Array.from({ length: clients }, (_, number) => life(number)));
console.log(JSON.stringify(report));
process.exit(0);
