// SPDX-License-Identifier: Apache-2.0
// A visitor of the console in Chromium, who records forbidden events: requests to other hosts, errors and dialogs.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const patience = 20_000 * Number(process.env.SKILLHOST_TEST_SLOWNESS ?? 1);
const screenshots = process.env.CONSOLE_SCREENSHOTS;
// doc/console.md shows these pictures, under these names.
const pictures = process.env.CONSOLE_PICTURES;
const inManual = {
  'manager-overview': 'overview', 'skills-dark': 'skills-dark', 'skill-light': 'skill', 'skill-phone': 'skill-phone', 'manager-search': 'search', 'manager-usage': 'usage',
  'manager-sources': 'sources', 'manager-reviews': 'reviews', 'manager-review': 'review', 'manager-missing': 'missing', 'try-tool-dark': 'try-tool', 'sign-in': 'sign-in',
};
const largestPicture = 60_000; // bytes
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const counts = { passed: 0, failed: 0 };
export function check(holds, what) {
  if (holds) return void (counts.passed += 1);
  counts.failed += 1;
  console.log(`FAILED ${what}`);
}

// Repeats the question until the condition holds.
export async function until(holds, what) {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not there after ${patience} ms`);
    await setTimeout(50);
  }
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage', '--no-proxy-server'] });
}

export class Visitor {
  // `others` are origins that the page may also contact. `expected` matches errors that belong to the case. `view` is
  // the first view of the visitor, whose browser cache is empty.
  static async come(browser, origin, { others = [], expected = /$^/, size = [1280, 800], scheme = 'light', view = '' } = {}) {
    const context = await browser.newContext({ viewport: { width: size[0], height: size[1] }, colorScheme: scheme, reducedMotion: 'reduce' });
    const visitor = new Visitor();
    Object.assign(visitor, { context, origin, foreign: [], errors: [], asked: 0, wire: [], allowed: new Set([origin, ...others]), expected });
    context.on('request', (request) => visitor.note(request.url()));
    context.on('page', (page) => visitor.watch(page));
    visitor.page = await context.newPage();
    visitor.page.setDefaultTimeout(patience);
    await visitor.listen();
    await visitor.page.goto(`${origin}/console/${view && `#/${view}`}`);
    return visitor;
  }

  // Records for each answer to the first page its request, and its bytes on the wire including the header fields.
  async listen() {
    const wire = await this.context.newCDPSession(this.page);
    const sent = new Map();
    wire.on('Network.requestWillBeSent', ({ requestId, request }) => sent.set(requestId, { url: request.url, method: request.headers['Mcp-Method'] }));
    wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (sent.has(requestId)) this.wire.push({ ...sent.get(requestId), bytes: encodedDataLength });
    });
    await wire.send('Network.enable');
  }

  // Returns the number of answers and their bytes, for the files of the page or for one method of MCP.
  received(method) {
    const chosen = this.wire.filter((one) => (method === undefined ? one.method === undefined && !one.url.startsWith('blob:') : one.method === method));
    return { answers: chosen.length, bytes: chosen.reduce((sum, one) => sum + one.bytes, 0) };
  }

  note(url) {
    this.asked += 1;
    if (/^(?:blob|about):/.test(url)) return;
    if (!URL.canParse(url) || !this.allowed.has(new URL(url).origin)) this.foreign.push(url.slice(0, 200));
  }

  watch(page) {
    const error = (text) => { if (!this.expected.test(text)) this.errors.push(text.slice(0, 400)); };
    page.on('console', (message) => { if (message.type() === 'error' || /Content Security Policy/.test(message.text())) error(message.text()); });
    page.on('pageerror', (problem) => error(`${problem}`));
    page.on('dialog', (dialog) => { error(`a dialog: ${dialog.message()}`); void dialog.dismiss(); });
  }

  // Goes to a view by its address, and returns when the view has read its data.
  async open(view) {
    await this.page.evaluate((hash) => { location.hash = hash; }, `/${view}`);
    await this.settled();
  }

  async settled() {
    await this.page.locator('main h1').waitFor();
    await this.page.waitForFunction(() => ![...document.querySelectorAll('main [role=status]')].some((one) => /^Reading /.test(one.textContent)));
  }

  // Returns false if the page scrolls sideways, because something in it is too wide.
  async fits() {
    return this.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
  }

  async violations() {
    await this.page.evaluate(axeSource);
    return this.page.evaluate(async (tags) => {
      const found = await globalThis.axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
      return found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ''}`).join('; ')}`);
    }, rules);
  }

  // Checks in both themes that the current view is accessible and nothing is cut off.
  async isReadable(what) {
    for (const colorScheme of ['dark', 'light']) {
      await this.page.emulateMedia({ colorScheme });
      const found = await this.violations();
      check(found.length === 0, `${what} (${colorScheme}): ${found.join(' | ')}`);
    }
    check(await this.fits(), `${what}: the page is wider than the window`);
  }

  async picture(name) {
    if (screenshots) await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
    if (!pictures || !inManual[name]) return;
    const session = await this.context.newCDPSession(this.page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    await session.detach();
    const bytes = Buffer.from(data, 'base64');
    check(bytes.length > 1_000 && bytes.length < largestPicture, `the picture ${name} has ${bytes.length} bytes`);
    writeFileSync(join(pictures, `${inManual[name]}.webp`), bytes);
  }

  async leave(what) {
    check(this.foreign.length === 0, `${what}: requests left for another host: ${this.foreign.join(' ')}`);
    check(this.errors.length === 0, `${what}: the browser complains: ${this.errors.slice(0, 5).join(' | ')}`);
    check(this.asked > 0, `${what}: no request was seen at all`);
    await this.context.close();
  }
}
