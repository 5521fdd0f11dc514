// SPDX-License-Identifier: Apache-2.0
// Tests the proposals of skills: a reviewer who is to be tricked into approving what was not shown, and a proposer.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, command, startServer } from './servers.mjs';
import { check, until, Visitor } from './visitor.mjs';

const refusals = /Failed to load resource: the server responded with a status of (?:401|403)/;
const payload = 'PAYLOAD at the end';
const attack = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=2</script> [x](javascript:globalThis.ran=3) photo\u202egnp.exe';

const document = (name, text) => `---\nname: ${name}\ndescription: Looks after ${name}.\n---\n${text}\n`;

// Starts a server with an inbox, a skill, and people with a scope each.
async function startHouse(scratch) {
  const team = join(scratch, 'team');
  mkdirSync(join(team, 'csv'), { recursive: true });
  writeFileSync(join(team, 'csv/SKILL.md'), document('csv', 'Old text.'));
  const tokens = join(scratch, 'tokens.json');
  const people = Object.fromEntries([['ada', 'propose'], ['rex', 'review'], ['eve', 'read']].map(([name, scope]) =>
    [name, command('token', 'add', name, '--file', tokens, '--scope', 'skills:read', ...(scope === 'read' ? [] : ['--scope', `skills:${scope}`]))]));
  const configuration = join(scratch, 'skillhost.json');
  writeFileSync(configuration, JSON.stringify({
    sources: [{ name: 'team', config: { directories: [team] } }],
    inbox: { folder: join(scratch, 'inbox'), source: 'team' },
    auth: { plugin: 'static', config: { file: tokens } },
  }));
  const server = await startServer('--config', configuration);
  const call = async (who, name, args) => (await ask(server, 'tools/call', { name, arguments: args }, { token: people[who] })).result?.structuredContent;
  const propose = async (name, files, note) => {
    const answer = await call('ada', 'propose_skill', { name, files, note });
    check(answer?.success === true, `${name} is proposed: ${JSON.stringify(answer).slice(0, 400)}`);
    return answer.data.proposal.id;
  };
  // The file is moved into place, so that the server never finds half of it.
  const writeByHand = (name, text) => {
    mkdirSync(join(team, name), { recursive: true });
    writeFileSync(join(scratch, 'by-hand.md'), document(name, text));
    renameSync(join(scratch, 'by-hand.md'), join(team, name, 'SKILL.md'));
  };
  return { server, people, call, propose, writeByHand, served: (name) => readFileSync(join(team, name, 'SKILL.md'), 'utf8') };
}

async function come(browser, house, who) {
  const visitor = await Visitor.come(browser, house.server.origin, { expected: refusals });
  await visitor.page.getByRole('dialog', { name: 'Sign in' }).getByLabel('Token', { exact: true }).fill(house.people[who]);
  await visitor.page.getByRole('button', { name: 'Use this token' }).click();
  await visitor.settled();
  return visitor;
}

const views = (page) => page.getByRole('navigation', { name: 'Views' });
const approve = (page) => page.getByRole('button', { name: 'Approve', exact: true });

async function runsNothing(page, what) {
  const found = await page.evaluate(() => document.querySelectorAll('main :is(script, iframe, object, embed, img, video, form[action], [onerror], a[href^="javascript"])').length);
  check(found === 0 && (await page.evaluate(() => globalThis.ran)) === undefined, `${what}: ${found} elements that run or fetch`);
}

// The change has more text than one answer holds, a binary file and a program, and its texts attack the page.
async function reviewsChange(visitor, house, change) {
  const { page } = visitor;
  await views(page).getByRole('link', { name: 'Proposals' }).click();
  const row = page.getByRole('row', { name: /csv/ });
  await row.waitFor();
  check(/change.*pending.*ada/s.test(await row.innerText()), `the row of a change: ${await row.innerText()}`);
  check(/new.*pending.*ada/s.test(await page.getByRole('row', { name: /fish/ }).innerText()), 'the row of a new skill');
  await visitor.isReadable('the list of proposals');
  await visitor.picture('proposals');
  await runsNothing(page, 'the list of proposals');
  await row.getByRole('link', { name: 'csv' }).click();
  await page.getByText('Approving takes your word on what cannot be shown.').waitFor();
  check(page.url().endsWith(`#/proposal/${change}`), `the address of a proposal: ${page.url()}`);
  await page.getByText(/^logo\.bin: 6 bytes/).waitFor();
  await page.getByText('now executable', { exact: true }).or(page.getByText('executable', { exact: true })).first().waitFor();

  // The rest was read without being asked for, so the last line can be seen.
  await page.getByText('guide-5.md', { exact: false }).first().click();
  const guide = page.getByRole('list', { name: 'Difference of guide-5.md' });
  await guide.getByRole('listitem').first().focus();
  await page.keyboard.press('End');
  await page.getByText(payload).waitFor();
  await page.getByText('SKILL.md changed').click();
  await page.getByText('<script>globalThis.ran=2</script>', { exact: false }).first().waitFor();
  check(!/\u202e/.test(await page.locator('main').innerText()), 'characters that turn the text are shown as such');
  await runsNothing(page, 'a proposal');
  await visitor.isReadable('a proposal');
  await visitor.picture('proposal');
  await page.getByRole('checkbox', { name: /approve without having seen it/ }).check();
  check(await approve(page).isEnabled(), 'a proposal that was shown can be approved');

  // Somebody edits the skill. The reviewer who returns to the page has to accept that, and to tick the binary file again.
  house.writeByHand('csv', 'By hand.');
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByText('The skill has changed since the proposal.').waitFor();
  check(await approve(page).isDisabled(), 'the change of a skill is not overwritten without a word');
  await page.getByRole('checkbox', { name: /the proposal shall replace it/ }).check();
  await until(() => page.getByRole('checkbox', { name: /approve without having seen it/ }).isVisible(), 'the rest is read again');
  check(await approve(page).isDisabled(), 'what cannot be shown needs a word again');
  await page.getByRole('checkbox', { name: /approve without having seen it/ }).check();
  await page.getByLabel('Reason').fill('read all of it');
  await approve(page).click();
  await page.getByText(/Decided: approved by rex: read all of it/).waitFor();
  await page.getByText('Written down.').waitFor();
  check((await approve(page).count()) === 0, 'nobody decides twice');
  check(house.served('csv').includes('globalThis.ran'), 'what was approved is in its place');
  await visitor.isReadable('an approved proposal');
}

// The skill appears after the page has shown that there is none, and before the reviewer approves.
async function meetsConflict(visitor, house, fish) {
  const { page } = visitor;
  await visitor.open(`proposal/${fish}`);
  await page.getByText('A new skill, proposed by ada', { exact: false }).waitFor();
  house.writeByHand('fish', 'By hand.');
  await until(async () => (await house.call('rex', 'show_proposal', { id: fish }))?.data?.outdated === true, 'the skill that appeared');
  await approve(page).click();
  await page.getByText('is no longer what you looked at').waitFor();
  check(house.served('fish') === document('fish', 'By hand.'), 'what was not seen is not replaced');
  await page.getByRole('button', { name: 'Show it as it is now' }).click();
  await page.getByText('The skill has changed since the proposal.').waitFor();
  await page.getByText('By hand.').first().waitFor();
  await page.getByLabel('Reason').fill('there is one already');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByText(/Decided: rejected by rex: there is one already/).waitFor();
}

export async function proposing(browser) {
  const scratch = mkdtempSync(join(tmpdir(), 'skillhost-console-'));
  const house = await startHouse(scratch);
  const lines = Array.from({ length: 2000 }, (_, at) => `Step ${at}: a line that goes on for some words.\n`).join('');
  const change = await house.propose('csv', [
    { path: 'SKILL.md', text: document('csv', attack) },
    { path: 'logo.bin', base64: '//4AAQKA' },
    { path: 'run.sh', text: '#!/bin/sh\necho 1\n', executable: true },
    ...[1, 2, 3, 4, 5].map((number) => ({ path: `guide-${number}.md`, text: number === 5 ? `${lines}${payload}\n` : lines })),
  ], attack);
  const fish = await house.propose('fish', [{ path: 'SKILL.md', text: document('fish', 'Feed the fish.') }], 'for the pond');
  const first = (await house.call('rex', 'show_proposal', { id: change })).data;
  check(!JSON.stringify(first.files).includes(payload) && first.files.some((file) => file.next_offset !== undefined), 'one answer does not hold all of the change: without that this case shows nothing');

  const reviewer = await come(browser, house, 'rex');
  await reviewsChange(reviewer, house, change);
  await meetsConflict(reviewer, house, fish);
  await reviewer.leave('a reviewer of proposals');

  const proposer = await come(browser, house, 'ada');
  await views(proposer.page).getByRole('link', { name: 'Proposals' }).click();
  await proposer.page.getByText('Nothing waits for a decision.').waitFor();
  await proposer.page.getByRole('link', { name: 'All', exact: true }).click();
  await proposer.page.getByRole('row', { name: /csv.*approved by rex: read all of it/s }).waitFor();
  await proposer.page.getByRole('row', { name: /fish.*rejected by rex: there is one already/s }).waitFor();
  const pond = await house.propose('pond', [{ path: 'SKILL.md', text: document('pond', 'Dig.') }], '');
  await proposer.open(`proposal/${pond}`);
  await proposer.page.getByText('It waits for a reviewer').waitFor();
  check((await approve(proposer.page).count()) === 0, 'a proposer decides on nothing');
  await proposer.isReadable('a proposal of the visitor');
  await proposer.leave('a proposer');

  const reader = await come(browser, house, 'eve');
  await reader.open('proposals');
  await reader.page.getByText('skills:read skills:propose').waitFor();
  await reader.leave('a reader');
  await house.server.end();
  rmSync(scratch, { recursive: true });

  // Without an inbox there is no such view.
  const server = await startServer('--skills-dir', join(process.env.CONSOLE_SKILLS, 'plain'));
  const visitor = await Visitor.come(browser, server.origin);
  await visitor.settled();
  await until(() => visitor.received('tools/list').answers > 0, 'the list of tools');
  check((await views(visitor.page).getByRole('link', { name: 'Proposals' }).count()) === 0, 'a server without an inbox has no view of proposals');
  await visitor.open('proposals');
  await visitor.page.getByText('Proposals: this server does not offer it to you.').waitFor();
  await visitor.leave('a server without an inbox');
  await server.end();
}
