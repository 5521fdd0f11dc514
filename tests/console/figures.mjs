// SPDX-License-Identifier: Apache-2.0
// Measures in Chromium how soon the console appears and how smoothly it scrolls: node figures.mjs [ROUNDS]. It prints
// numbers and judges none of them. SKILLHOST is the server, CHROMIUM the browser, CONSOLE_SKILLS a folder with many/.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isReady, startServer } from './servers.mjs';
import { launch, Visitor } from './visitor.mjs';

const rounds = Number(process.argv[2] ?? 5);
const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const tell = (what, values, unit = 'ms') => console.log(`${what.padEnd(46)} median ${quantile(values, 0.5).toFixed(1)} ${unit}, least ${Math.min(...values).toFixed(1)}, most ${Math.max(...values).toFixed(1)}, of ${values.length}`);

// Returns the milliseconds from the start of the navigation to the first frame in which the condition holds.
async function when(page, holds, given) {
  await page.waitForFunction(holds, given, { timeout: 120_000, polling: 'raf' });
  // The page notes the time in that frame, because the message to this program takes longer.
  return page.evaluate(() => globalThis.heldAt);
}

function hasPaint() {
  globalThis.heldAt = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  return globalThis.heldAt !== undefined;
}

function hasRow() {
  globalThis.heldAt = performance.now();
  return document.querySelector('main [data-row]') !== null;
}

function says(text) {
  globalThis.heldAt = performance.now();
  return [...document.querySelectorAll('main [role=status]')].some((one) => one.textContent === text);
}

// Records the frames from now on, until it is stopped.
async function frames(page) {
  await page.evaluate(() => {
    globalThis.noted = { times: [], goesOn: true };
    const note = (time) => { if (globalThis.noted.goesOn) { globalThis.noted.times.push(time); requestAnimationFrame(note); } };
    requestAnimationFrame(note);
  });
  return () => page.evaluate(() => {
    globalThis.noted.goesOn = false;
    const { times } = globalThis.noted;
    return times.slice(1).map((time, at) => time - times[at]);
  });
}

function tellFrames(what, gaps) {
  const late = gaps.filter((gap) => gap > 17.5).length;
  console.log(`${what.padEnd(46)} median ${quantile(gaps, 0.5).toFixed(1)} ms, p95 ${quantile(gaps, 0.95).toFixed(1)}, p99 ${quantile(gaps, 0.99).toFixed(1)}, most ${Math.max(...gaps).toFixed(1)}; ${late} of ${gaps.length} frames above 17.5`);
}

// Turns the mouse wheel over the list `turns` times.
async function scroll(page, turns) {
  await page.locator('main .virtual').hover();
  const stop = await frames(page);
  for (let at = 0; at < turns; ++at) await page.mouse.wheel(0, 400);
  return stop();
}

// Measures the frames of an idle page, which shows the limit of this machine.
async function atRest(browser, origin) {
  const visitor = await Visitor.come(browser, origin, { view: 'skills' });
  await when(visitor.page, hasRow);
  await when(visitor.page, says, '61,000 skills.');
  const stop = await frames(visitor.page);
  await setTimeout(2_000);
  const gaps = await stop();
  await visitor.context.close();
  return gaps;
}

const browser = await launch();
const server = await startServer('--skills-dir', join(process.env.CONSOLE_SKILLS, 'many'));
const begun = Date.now();
while (!(await isReady(server))) await setTimeout(200);
console.log(`61,000 skills are read after ${((Date.now() - begun) / 1000).toFixed(1)} s; ${rounds} rounds, each with an empty browser cache`);
console.log(`load of the machine before: ${loadavg()[0].toFixed(2)}`);

const paint = { overview: [], skills: [] };
const seen = { rows: [], all: [], filter: [] };
const gaps = { filling: [], scrolling: [], rest: await atRest(browser, server.origin) };
for (let round = 0; round < rounds; ++round) {
  for (const view of ['overview', 'skills']) {
    const visitor = await Visitor.come(browser, server.origin, { view });
    const { page } = visitor;
    paint[view].push(await when(page, hasPaint));
    if (view === 'skills') {
      const stop = await frames(page);
      seen.rows.push(await when(page, hasRow));
      seen.all.push(await when(page, says, '61,000 skills.'));
      gaps.filling.push(...(await stop()));
      gaps.scrolling.push(...(await scroll(page, 120)));
      await page.getByRole('searchbox').focus();
      const before = await page.evaluate(() => performance.now());
      await page.keyboard.insertText('04711');
      seen.filter.push((await when(page, says, '1 skill of 61,000.')) - before);
    }
    await visitor.context.close();
  }
}
tell('first contentful paint, overview', paint.overview);
tell('first contentful paint, skills', paint.skills);
tell('first rows of 61,000 skills', seen.rows);
tell('all rows of 61,000 skills', seen.all);
tell('from a word in the filter to its one skill', seen.filter);
tellFrames('frames at rest', gaps.rest);
tellFrames('frames while the list fills', gaps.filling);
tellFrames('frames while it is scrolled', gaps.scrolling);
console.log(`load of the machine after: ${loadavg()[0].toFixed(2)}`);
await browser.close();
await server.end();
