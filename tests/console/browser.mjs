// SPDX-License-Identifier: Apache-2.0
// Tests the console in Chromium: node browser.mjs CASE...   It prints the failures, then "N passed, N failed".
// SKILLHOST is the server, CHROMIUM the browser, and CONSOLE_SKILLS a folder with plain/, hostile/ and perhaps many/.
// CONSOLE_SCREENSHOTS, if set, is a folder for pictures of every view, and CONSOLE_PICTURES one for the pictures of the
// manual.
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, command, isReady, startGate, startScript, startServer } from './servers.mjs';
import { proposing } from './proposing.mjs';
import { below, reviewing } from './reviewing.mjs';
import { check, counts, launch, until, Visitor } from './visitor.mjs';

const skills = process.env.CONSOLE_SKILLS;
const folder = (name) => ['--skills-dir', join(skills, name)];

const views = {
  overview: 'overview',
  skills: 'skills',
  'skills-tree': 'skills?as=tree',
  skill: 'skill/plain/code-review',
  'skill-files': 'skill/plain/code-review?tab=files&file=guide.md',
  'skill-front-matter': 'skill/plain/code-review?tab=front-matter',
  'skill-findings': 'skill/plain/with-finding?tab=findings',
  'skill-provenance': 'skill/plain/code-review?tab=provenance',
  'skill-versions': 'skill/plain/code-review?tab=versions',
  'skill-compare': 'skill/plain/code-review?tab=difference',
  search: 'search?task=review%20code',
  usage: 'usage',
  sources: 'sources',
  'sources-findings': 'sources?tab=findings',
  'sources-audit': 'sources?tab=audit',
  reviews: 'reviews',
  proposals: 'proposals',
  'try-tool': 'try/tool?name=load_skill',
  'try-prompt': 'try/prompt',
  'try-resource': 'try/resource',
  'no-such-view': 'nowhere',
};

// Shows every view in both themes and on a phone. All of it must be accessible, nothing cut off, and no other host
// asked.
async function pages(browser) {
  const server = await startServer(...folder('plain'));
  for (const [form, options] of Object.entries({ light: {}, dark: { scheme: 'dark' }, phone: { size: [360, 740] } })) {
    const visitor = await Visitor.come(browser, server.origin, options);
    await visitor.settled();
    for (const [name, address] of Object.entries(views)) {
      await visitor.open(address);
      const found = await visitor.violations();
      check(found.length === 0, `${name} (${form}): ${found.join(' | ')}`);
      check(await visitor.fits(), `${name} (${form}): the page is wider than the window`);
      await visitor.picture(`${name}-${form}`);
    }
    await visitor.leave(`every view (${form})`);
  }
  await server.end();
}

// Uses only the keyboard, from the first view to the text of a skill.
async function keyboard(browser) {
  const server = await startServer(...folder('plain'));
  const visitor = await Visitor.come(browser, server.origin);
  const { page } = visitor;
  await visitor.settled();
  await page.keyboard.press('Tab');
  check(await page.getByRole('link', { name: 'Skip to the content' }).evaluate((link) => link === document.activeElement), 'the first stop of Tab leads to the content');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Skills' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Skills' }).waitFor();
  await visitor.settled();
  await page.getByRole('searchbox').focus();
  await page.keyboard.type('incident');
  const link = page.getByRole('link', { name: 'incident-report' });
  await link.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'incident-report' }).waitFor();
  await page.getByText('First, look.').waitFor();
  check(await page.getByRole('heading', { level: 1 }).evaluate((one) => one === document.activeElement), 'a new view is where the keyboard is');
  await visitor.leave('by the keyboard');
  await server.end();
}

// As a control, this puts the attacks unchanged into a page. If they did nothing there, the next case would prove
// nothing.
async function control(browser, server) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  const answer = await ask(server, 'resources/read', { uri: 'skill://hostile/attacks/page.md' });
  const html = answer.result.contents[0].text;
  // The attack that leaves the page is removed, because the test could not see afterwards what ran.
  await page.setContent(html.replace(/<meta[^>]*>/, ''), { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.ran !== undefined);
  check(asked.some((url) => url.startsWith('http://canary.invalid/')), 'the attacks fetch something where nothing keeps them from it');
  await context.close();
}

async function hostile(browser) {
  const server = await startServer(...folder('hostile'));
  await control(browser, server);
  // The sanitizer parses in a separate document, which runs no script. The browser reports what the policy blocks there
  // as an error.
  const visitor = await Visitor.come(browser, server.origin, { expected: /^(?:Executing inline event handler|Applying inline style|Setting the document's base URI)/ });
  const { page } = visitor;
  const ran = () => page.evaluate(() => globalThis.ran);
  for (const view of ['skills', 'skills?as=tree', 'skill/hostile/attacks', 'skill/hostile/attacks?tab=files&file=page.md', 'skill/hostile/attacks?tab=front-matter', 'skill/hostile/links', 'search?task=attacks%20with%20a%20script', 'sources?tab=findings']) {
    await visitor.open(view);
    check((await ran()) === undefined, `${view}: a script of a skill ran: ${await ran()}`);
    const found = await page.evaluate(() => document.querySelectorAll('main :is(script, iframe, object, embed, img, video, form[action], base, meta, link, style, math, [onerror], [onload], [onfocus], [ontoggle])').length);
    check(found === 0, `${view}: ${found} elements that run or fetch`);
  }
  await visitor.open('skill/hostile/links');
  await page.getByText('The end is here.').waitFor();
  const targets = await page.evaluate(() => [...document.querySelectorAll('main .markdown a')].map((link) => [link.getAttribute('href'), link.rel]));
  check(targets.length >= 2 && targets.every(([href]) => /^(?:https?:\/\/|mailto:|#)/.test(href)), `links of a skill: ${JSON.stringify(targets)}`);
  check(targets.every(([href, rel]) => href.startsWith('#') || rel === 'noopener noreferrer'), `links that tell where they come from: ${JSON.stringify(targets)}`);
  await visitor.open('skill/hostile/reversed');
  await page.getByText('The end is here.').waitFor();
  check(!/[\u202a-\u202e\u2066-\u2069\u200b\u0007]/.test(await page.locator('main').innerText()), 'characters that turn or hide the text are shown as such');
  for (const name of ['large', 'one-line', 'nested', 'long-name']) {
    const begun = Date.now();
    await visitor.open(`skill/hostile/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    check(await visitor.fits(), `${name}: the page is wider than the window`);
    await visitor.picture(`hostile-${name}`);
    console.log(`${name}: shown after ${Date.now() - begun} ms`);
  }
  await visitor.open('skills');
  check((await page.getByRole('heading', { level: 1, name: 'Skills' }).count()) === 1, 'the page still works after all of it');
  check((await ran()) === undefined, 'no script of a skill ran');
  await visitor.leave('hostile skills');
  await server.end();
}

async function signInWith(page, token) {
  await page.getByRole('dialog', { name: 'Sign in' }).getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Use this token' }).click();
}

// Checks that the dialog asks again if the server refuses the token, and stays until the visitor answers.
async function refusedWith(page, token) {
  const refused = page.waitForResponse(async (response) => (await response.request().headerValue('authorization')) === `Bearer ${token}`);
  await signInWith(page, token);
  check((await refused).status() === 401, `${token} is refused`);
  // Requests that the page has started end within two frames, including their tasks.
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))); }));
  await page.getByRole('dialog', { name: 'Sign in' }).getByText('no longer accepts').waitFor();
}

const refusals = /Failed to load resource: the server responded with a status of (?:401|403)/;

// Signs in with a wrong token, a reader's and a manager's, and with one that is revoked while it is used.
async function tokens(browser) {
  const scratch = mkdtempSync(join(tmpdir(), 'skillhost-console-'));
  const file = join(scratch, 'tokens.json');
  const add = (name, scope) => command('token', 'add', name, '--file', file, '--scope', scope);
  const reader = add('reader', 'skills:read');
  const manager = add('manager', 'skills:manage');
  const server = await startServer(...folder('plain'), '--auth', 'static', '--set', `auth.config=${JSON.stringify({ file, cache_seconds: 0 })}`);
  const visitor = await Visitor.come(browser, server.origin, { expected: refusals });
  const { page } = visitor;
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.waitFor();
  await visitor.isReadable('the sign-in');
  await visitor.picture('sign-in');
  await signInWith(page, 'two words');
  await dialog.getByText('without blanks').waitFor();
  // Several attempts, because the refusal may arrive before the dialog has closed, while it closes, or afterwards.
  for (let at = 0; at < 10; ++at) await refusedWith(page, `skh_wrong${at}`);
  await signInWith(page, reader);
  await dialog.waitFor({ state: 'hidden' });
  await visitor.open('skills');
  await page.getByRole('link', { name: 'code-review' }).first().waitFor();
  await visitor.open('sources?tab=audit');
  await page.getByText(/your token may not see this|does not offer it to you/).first().waitFor();
  check(await page.evaluate((token) => !JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]).includes(token), reader), 'a token is kept only by consent');

  await visitor.open('skills?text=code');
  command('token', 'revoke', 'reader', '--file', file);
  await page.getByRole('link', { name: 'code-review' }).first().click();
  await dialog.waitFor();
  check(page.url().includes('#/skill/plain/code-review'), 'the page stays where it was when the token is refused');
  await page.getByLabel('In this tab, until it is closed').check();
  await signInWith(page, manager);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('First, look.').waitFor();
  check(await page.evaluate(() => Object.keys(localStorage).length === 0 && Object.keys(sessionStorage).length === 1), 'with consent a token is kept in the tab, and nowhere else');
  await page.reload();
  await page.getByText('First, look.').waitFor();
  await page.goBack();
  check((await page.getByRole('searchbox').inputValue()) === 'code', 'the filter is what it was');
  await visitor.open('overview');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('since the start').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  check(await page.evaluate(() => Object.keys(sessionStorage).length === 0), 'who signs out leaves nothing behind');
  // A visitor who closes the dialog has declined, and is asked again only on request.
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Signed out', { exact: true }).waitFor();
  await page.getByText('The server serves only those who sign in').first().waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }).click();
  await signInWith(page, manager);
  await page.getByText('since the start').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await visitor.leave('tokens');
  await server.end();
  rmSync(scratch, { recursive: true });
}

// Starts a server with two sources, one of which requires reviews, and with people who use the skills.
async function startHouse(scratch) {
  for (const [source, from] of [['team', 'plain'], ['hub', 'hub']]) cpSync(join(skills, from), join(scratch, source), { recursive: true });
  const tokensFile = join(scratch, 'tokens.json');
  const people = Object.fromEntries(['ada', 'bob', 'eve'].map((name) => [name, command('token', 'add', name, '--file', tokensFile, '--scope', 'skills:read',
    ...(name === 'ada' ? ['--scope', 'skills:manage', '--scope', 'skills:review'] : []))]));
  const configuration = join(scratch, 'skillhost.json');
  writeFileSync(configuration, JSON.stringify({
    sources: ['team', 'hub'].map((name) => ({ name, config: { directories: [join(scratch, name)] } })),
    trust: { rules: [{ sources: ['hub'], action: 'quarantine', when: ['new', 'changed'] }] },
    usage: { path: join(scratch, 'usage.sqlite'), principals: 'names' },
    versions: { path: join(scratch, 'versions.sqlite') },
    auth: { plugin: 'static', config: { file: tokensFile } },
    access: { visibility: [{ sources: ['team'], scopes: ['skills:read', 'hub:guest'] }] },
  }));
  const server = await startServer('--config', configuration);
  const call = (who, client, name, args) => ask(server, 'tools/call', { name, arguments: args }, { token: people[who], client });
  return { server, people, call };
}

// Plays a new manager who knows only what the page says. The manager finds out why a skill is missing, who used a
// skill, and what a source changed. Then the manager approves a waiting skill.
async function manager(browser) {
  const scratch = mkdtempSync(join(tmpdir(), 'skillhost-console-'));
  const { server, people, call } = await startHouse(scratch);
  const load = (who, client, skill) => call(who, client, 'load_skill', { skill_name: skill });
  for (const [who, client, skill] of [['bob', 'editor', 'code-review'], ['bob', 'editor', 'code-review'], ['eve', 'editor', 'code-review'], ['bob', 'editor', 'release-notes'], ['eve', 'terminal', 'release-notes'], ['eve', 'terminal', 'incident-report']])
    check((await load(who, client, skill)).result?.isError !== true, `${who} loads ${skill}`);
  await load('eve', 'terminal', 'deploy');
  await call('eve', 'terminal', 'find_helpful_skills', { task_description: 'bake sourdough' });
  await call('bob', 'editor', 'find_helpful_skills', { task_description: 'review code' });

  // The server writes usage down within about a second.
  await until(async () => {
    const read = await ask(server, 'resources/read', { uri: 'skillhost://usage' }, { token: people.ada });
    const { totals, skills: used } = JSON.parse(read.result.contents[0].text);
    return totals.searches === 2 && used.reduce((sum, one) => sum + one.loads, 0) === 6;
  }, 'the figures of usage');

  const visitor = await Visitor.come(browser, server.origin, { expected: refusals });
  const { page } = visitor;
  // Takes a picture, and checks that it is accessible.
  const look = async (name) => { await visitor.isReadable(name); await visitor.picture(name); };
  const view = (name) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();
  const heading = (name) => page.getByRole('heading', { level: 1, name }).waitFor();
  await signInWith(page, people.ada);
  const needed = page.locator('section', { has: page.getByRole('heading', { name: 'What needs you' }) });

  // One skill is missing because its front matter cannot be read. The first view leads to the faulty line.
  await needed.getByRole('link', { name: /skills wait/ }).waitFor();
  await look('manager-overview');
  await needed.getByRole('link', { name: /has an error/ }).click();
  await heading('Sources');
  const finding = page.getByRole('row', { name: /not-served\/SKILL\.md/ });
  await finding.waitFor();
  check(/not-served\/SKILL\.md:\d+/.test(await finding.innerText()), `the file and the line: ${await finding.innerText()}`);
  await look('manager-findings');

  // Another skill is missing because nobody has approved it.
  await view('Skills');
  await heading('Skills');
  await page.getByRole('searchbox').fill('not-served');
  await page.getByText(/not-served\/SKILL\.md:\d+ cannot be read/).waitFor();
  await page.getByRole('searchbox').fill('deploy');
  await page.getByText('hub/deploy is held back').waitFor();
  await look('manager-missing');
  await page.getByRole('link', { name: 'hub/deploy' }).click();
  await heading('Review of deploy');

  // Shows who used a skill.
  await view('Skills');
  await page.getByRole('link', { name: 'release-notes' }).first().click();
  await page.getByRole('link', { name: 'Who used it' }).click();
  await heading('Usage');
  // The manager may be listed too, because viewing the text counts as a use.
  const users = page.getByRole('group', { name: 'Who used it' });
  for (const who of ['bob', 'eve']) await users.getByRole('row', { name: new RegExp(`^${who}\\b`) }).waitFor();
  await look('manager-who');
  await page.getByRole('link', { name: 'All skills' }).click();
  await page.getByRole('row', { name: /code-review/ }).waitFor();
  await look('manager-usage');
  await page.getByRole('link', { name: 'Not found' }).click();
  await page.getByRole('row', { name: /bake sourdough/ }).waitFor();

  // If there were several replicas, the page would say that these numbers are those of one replica.
  await page.route('**/mcp', async (route) => {
    if (route.request().postDataJSON()?.params?.uri !== 'skillhost://usage') return route.continue();
    const response = await route.fetch();
    const answer = await response.json();
    const [contents] = answer.result.contents;
    contents.text = JSON.stringify({ ...JSON.parse(contents.text), replica: 'replica-b' });
    return route.fulfill({ response, json: answer });
  });
  await visitor.open('overview');
  await visitor.open('usage');
  await page.getByText('These are the figures of replica replica-b alone.').waitFor();
  await look('manager-usage-replica');
  await page.unroute('**/mcp');

  // Shows who may see a skill. The server tells only managers.
  await visitor.open('skill/team/release-notes?tab=provenance');
  const audience = page.locator('section', { has: page.getByRole('heading', { name: 'Who may see it' }) });
  await audience.getByText('whoever has the scope skills:read or hub:guest (a rule for sources team)').waitFor();
  await look('manager-audience');
  const metaFor = async (who) => (await ask(server, 'skills/get', { uri: 'skill://team/release-notes/SKILL.md' }, { token: people[who] })).result.skill._meta;
  check((await metaFor('ada'))['org.skillhost/audience'].everybody === false, 'a manager is told who may see a skill');
  check((await metaFor('eve'))['org.skillhost/audience'] === undefined, 'a reader is not told who may see a skill');

  // Shows what a source has changed.
  const description = 'How to write release notes that are read.';
  // Files are moved into place, so that the server never finds an incomplete skill.
  mkdirSync(join(scratch, 'threat-model'));
  writeFileSync(join(scratch, 'threat-model/SKILL.md'), '---\nname: threat-model\ndescription: How to find what can go wrong before others do.\n---\n# Threat model\n');
  writeFileSync(join(scratch, 'changed.md'), `---\nname: release-notes\ndescription: ${description}\n---\n# Release notes\n\nShorter.\n`);
  await view('Sources');
  const team = page.locator('section', { has: page.getByRole('heading', { name: 'team', exact: true }) });
  await team.getByText('Nothing has changed').waitFor();
  renameSync(join(scratch, 'threat-model'), join(scratch, 'team/threat-model'));
  await team.getByText('1 added').waitFor();
  renameSync(join(scratch, 'changed.md'), join(scratch, 'team/release-notes/SKILL.md'));
  await team.getByText('1 changed').click();
  await team.getByText('1 added').click();
  await team.getByRole('link', { name: 'team/threat-model' }).waitFor();
  await page.getByRole('link', { name: '3', exact: true }).waitFor(); // all skills of the other source wait
  await look('manager-sources');
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await page.getByText('6 skills: 0 added').first().waitFor();
  await team.getByRole('link', { name: 'team/release-notes' }).click();
  await page.getByText(description).first().waitFor();

  // Shows an earlier version of the skill, and the difference.
  await until(async () => {
    const read = await ask(server, 'resources/read', { uri: 'skillhost://versions/team/release-notes' }, { token: people.ada });
    return JSON.parse(read.result.contents[0].text).versions.length === 2;
  }, 'two versions');
  await page.getByRole('link', { name: 'Versions' }).click();
  const versions = page.getByRole('group', { name: 'Versions of the skill' });
  await versions.getByRole('row').nth(2).waitFor(); // the rows below the heading
  await page.getByRole('row', { name: /added.*Shorter\./ }).waitFor();
  check((await versions.getByText('served', { exact: true }).count()) === 1, 'one version is served');
  await look('manager-versions');
  await page.getByLabel('From').selectOption({ index: 0 });
  await page.getByText('No line differs.').waitFor();
  for (const who of ['bob', 'eve']) {
    const refused = await ask(server, 'resources/read', { uri: 'skillhost://versions/team/release-notes' }, { token: people[who] });
    check(refused.result === undefined, `${who}, who manages nothing, is told no versions`);
  }

  await view('Search');
  await page.getByLabel('Task').fill('write release notes');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'release-notes' }).waitFor();
  await page.getByText('Why, and what it costs').first().click();
  await look('manager-search');

  // Reviews a waiting skill and approves it.
  await view('Overview');
  await needed.getByRole('link', { name: /wait for a decision/ }).click();
  await page.getByRole('row', { name: /hub\/deploy/ }).waitFor();
  await look('manager-reviews');
  await page.getByRole('link', { name: 'hub/deploy' }).click();
  await heading('Review of deploy');
  await page.getByText('https://deploy.example/install.sh').first().waitFor();
  await look('manager-review');
  await page.getByLabel('Reason').fill('the address is ours');
  await visitor.isReadable('a review with a reason');
  check((await load('bob', 'editor', 'deploy')).result?.isError === true, 'until then nobody is served it');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText(/Last decision: approve by ada.*the address is ours/).waitFor();
  await view('Skills');
  await page.getByRole('searchbox').fill('deploy');
  await page.getByRole('link', { name: 'deploy', exact: true }).first().waitFor();
  check((await load('bob', 'editor', 'deploy')).result?.isError !== true, 'what was approved is served');
  await visitor.open('sources?tab=audit');
  await page.getByRole('row', { name: /reviewed.*hub\/deploy/ }).waitFor();
  await look('manager-audit');
  await visitor.leave('a manager');
  await server.end();
  rmSync(scratch, { recursive: true });
}

// Signs in with a certified provider by authorization code with PKCE, and checks that the page returns to its view.
async function provider(browser) {
  const op = await startScript(new URL('./sign_in.mjs', import.meta.url).pathname, '600');
  const server = await startServer(...folder('plain'), '--auth', 'jwt', '--set', `auth.config=${JSON.stringify({ issuer: op.issuer })}`, '--set', 'auth.isolation=thread');
  const visitor = await Visitor.come(browser, server.origin, { others: [op.issuer], expected: refusals });
  const { page } = visitor;
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
  await page.evaluate(() => { location.hash = '/skills?text=release'; });
  // The provider allows no page to register itself (CORS), so this acts as its administrator.
  const registration = await fetch(`${op.issuer}/reg`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({
    client_name: 'console', redirect_uris: [`${server.origin}/console/`], token_endpoint_auth_method: 'none', application_type: 'native', grant_types: ['authorization_code', 'refresh_token'] }) });
  await page.getByLabel('Client id').fill((await registration.json()).client_id);
  await page.getByRole('button', { name: 'Sign in with the provider' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.getByRole('link', { name: 'release-notes' }).first().waitFor();
  check(page.url() === `${server.origin}/console/#/skills?text=release`, `after signing in the address is ${page.url()}`);
  const policy = (await fetch(`${server.origin}/console/`)).headers.get('content-security-policy');
  check(policy.includes(`connect-src 'self' ${op.issuer};`), `the policy lets the page ask its provider: ${policy}`);
  await visitor.leave('a provider');
  await server.end();
  op.end();
}

// Stops the server under an open page and starts it again. The page reports it, and continues by itself.
async function restart(browser) {
  const gate = await startGate();
  let server = await startServer(...folder('plain'));
  gate.lead(server.port);
  const visitor = await Visitor.come(browser, gate.origin, { expected: /Failed to load resource: net::ERR_/ });
  const { page } = visitor;
  await visitor.open('skills?text=incident');
  await page.getByRole('link', { name: 'incident-report' }).first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  gate.shut();
  await server.end();
  await page.getByText('No connection').waitFor();
  await page.getByText('The server does not answer').waitFor();
  await visitor.isReadable('a server that is away');
  await visitor.picture('server-away');
  server = await startServer(...folder('plain'));
  gate.lead(server.port);
  await page.getByText('Live', { exact: true }).waitFor();
  check((await page.getByRole('searchbox').inputValue()) === 'incident', 'what was typed is still there');
  await page.getByRole('link', { name: 'incident-report' }).first().click();
  await page.getByText('First, look.').waitFor();
  await visitor.leave('a restart');
  await server.end();
  gate.end();
}

const maxPageBytes = 150 * 1024; // bytes on the wire, compressed
const maxFiles = 5; // the page, its script, its style sheet, its icon, the worker for Markdown

function checkFiles(visitor, what) {
  const { answers, bytes } = visitor.received();
  console.log(`${what}: ${answers} files, ${bytes} bytes; ${visitor.wire.filter((one) => one.method !== undefined).length} answers of MCP`);
  check(answers >= 3 && answers <= maxFiles, `${what}: ${answers} files are read`);
  check(bytes > 10_000 && bytes <= maxPageBytes, `${what}: ${bytes} bytes of files are read`);
}

// Limits the cost of a view: files, bytes and requests. None of this depends on the speed of the machine.
async function budget(browser) {
  const server = await startServer(...folder('plain'));
  for (const [view, most] of Object.entries({ overview: 10, skills: 8, 'skill/plain/code-review': 12, search: 6, usage: 6, sources: 8, reviews: 6, proposals: 6, 'try/tool?name=load_skill': 6 })) {
    const visitor = await Visitor.come(browser, server.origin, { view });
    await visitor.settled();
    await visitor.page.getByText('Live', { exact: true }).waitFor();
    checkFiles(visitor, view);
    const asked = visitor.wire.filter((one) => one.method !== undefined).map((one) => one.method);
    check(asked.length > 0 && asked.length <= most, `${view}: ${asked.length} requests are answered: ${asked.join(' ')}`);
    const { page } = visitor;
    visitor.wire.length = 0;
    await page.reload();
    await visitor.settled();
    const again = visitor.received();
    check(again.bytes > 0 && again.bytes < 10_000, `${view}: ${again.bytes} bytes of files are read again, though they have not changed`);
    await visitor.leave(`the budget of ${view}`);
  }
  await server.end();
}

// Shows a list of 61,000 skills: what the page reads for the first rows and for all, and how many rows it contains at
// once.
async function many(browser) {
  const server = await startServer(...folder('many'));
  const early = await Visitor.come(browser, server.origin, { view: 'skills' });
  await early.page.getByText(/^61,000 skills\.$/).waitFor({ timeout: 600_000 });
  await early.leave('a page that is open while the server reads 61,000 skills');
  await until(() => isReady(server), 'all skills are read');
  const visitor = await Visitor.come(browser, server.origin, { view: 'skills' });
  const { page } = visitor;
  await page.getByRole('link', { name: /^skill-0000\d$/ }).first().waitFor();
  await page.getByText(/^61,000 skills\.$/).waitFor({ timeout: 120_000 });
  checkFiles(visitor, '61,000 skills');
  const first = visitor.wire.find((one) => one.method === 'resources/list');
  check(first.bytes < 150_000, `the first page of the list has ${first.bytes} bytes`);
  const list = visitor.received('resources/list');
  console.log(`61,000 skills: ${list.answers} pages of ${list.bytes} bytes together, the first of ${first.bytes}`);
  check(list.answers <= 40, `${list.answers} requests for the list`);
  const tools = visitor.received('tools/call');
  check(tools.answers === 0, `${tools.answers} calls of tools for the list`);
  const elements = () => page.evaluate(() => document.querySelectorAll('main *').length);
  check((await elements()) < 1_000, `the list has ${await elements()} elements at once`);
  await page.getByRole('link', { name: 'skill-00000', exact: true }).focus();
  await page.keyboard.press('End');
  await page.getByRole('link', { name: 'skill-60999', exact: true }).waitFor();
  check((await elements()) < 1_000, `at its end the list has ${await elements()} elements at once`);
  await page.getByRole('searchbox').fill('04711');
  await page.getByText('1 skill of 61,000.').waitFor();
  await page.getByRole('link', { name: 'skill-04711', exact: true }).waitFor();
  await visitor.open('skills?as=tree');
  await page.getByRole('treeitem').first().waitFor();
  check((await elements()) < 1_000, `the tree has ${await elements()} elements at once`);
  await visitor.leave('many skills');
  await server.end();
}

// Checks that a page that is open while the server reads its skills says so, and continues by itself.
async function loading(browser) {
  const scratch = mkdtempSync(join(tmpdir(), 'skillhost-console-'));
  cpSync(join(skills, 'plain'), join(scratch, 'team'), { recursive: true });
  const server = await startServer('--skills-dir', join(scratch, 'team'));
  await until(() => isReady(server), 'all skills are read');
  const visitor = await Visitor.come(browser, server.origin);
  const { page } = visitor;
  await page.getByText('Live', { exact: true }).waitFor();
  // This imitates the answer of a server that has just started, because a real one gives it for an unpredictable time.
  await page.route('**/mcp', async (route) => {
    if (route.request().headers()['mcp-method'] !== 'resources/list') return route.continue();
    const answer = await (await route.fetch()).json();
    Object.assign(answer.result, { resources: [], _meta: { ...answer.result._meta, 'org.skillhost/loading': { loading: true, skills: 0 } } });
    await route.fulfill({ json: answer });
  });
  await visitor.open('skills');
  const said = page.getByText('The server is still reading its skills');
  await said.waitFor();
  check((await page.getByText('This server serves no skill to you').count()) === 0, 'nobody is told that there are none while they are read');
  await page.unroute('**/mcp');
  mkdirSync(join(scratch, 'threat-model'));
  writeFileSync(join(scratch, 'threat-model/SKILL.md'), '---\nname: threat-model\ndescription: How to find what can go wrong before others do.\n---\n# Threat model\n');
  renameSync(join(scratch, 'threat-model'), join(scratch, 'team/threat-model'));
  await page.getByRole('link', { name: 'threat-model' }).waitFor();
  check((await said.count()) === 0, 'the page still says that skills are read');
  await visitor.leave('a start under an open page');
  await server.end();
  rmSync(scratch, { recursive: true });
}

// Prints what the page showed when a case ended too early.
async function tell(page, name) {
  const text = await page.evaluate(() => (document.querySelector('dialog[open]') ?? document.body).innerText).catch((reason) => `${reason}`);
  console.log(`${name} ended at ${page.url()}:\n${text.slice(0, 1500)}`);
}

const cases = { pages, keyboard, budget, hostile, tokens, manager, reviewing, proposing, below, provider, restart, loading, many };
const browser = await launch();
for (const name of process.argv.slice(2)) {
  const begun = Date.now();
  try {
    await cases[name](browser);
  } catch (reason) {
    check(false, `${name}: ${reason.stack}`);
    for (const context of browser.contexts()) for (const page of context.pages()) await tell(page, name);
  }
  for (const context of browser.contexts()) await context.close();
  console.log(`${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}
await browser.close();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
