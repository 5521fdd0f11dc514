// SPDX-License-Identifier: Apache-2.0
// Lists proposals of skills, shows one beside the skill that it changes, and records decisions of reviewers. Proposers
// see their own, and what became of them. All texts of a proposal are a stranger's, so they are shown as plain text.

import { useMemo, useState } from 'preact/hooks';
import { listOf, numberIn, textOf } from '../data/joined';
import { decideTool, decisionOn, partsOfProposal, readProposal, readProposals, type ShownProposal } from '../data/proposals';
import type { ReviewedFile } from '../data/review';
import { callTool, revision } from '../data/server';
import { toolNames } from '../data/tools';
import type { JsonObject } from '../mcp/messages';
import { bytes, count, plural, timeOf } from '../text/format';
import { oneLine } from '../text/visible';
import { DecisionPanel } from '../ui/decision_panel';
import { useQuery } from '../ui/hooks';
import { Badge, Loading, Notice, Panel, Stale, Table, TabLinks, Unavailable, When, type Tone } from '../ui/parts';
import { ChangedFile, Unread, useSeen, useWhole } from '../ui/reviewed_files';
import { link, route } from '../ui/router';
import { Heading } from '../ui/shell';
import { FindingTable } from './skill';

const stateTones: Record<string, Tone> = { pending: 'warning', approved: 'good', rejected: 'bad' };
const tabs = [
  { id: 'pending', label: 'Waiting' },
  { id: 'approved', label: 'Approved' },
  { id: 'rejected', label: 'Rejected' },
  { id: 'all', label: 'All' },
];

const mayDecide = (): boolean => toolNames.value.has(decideTool);
// Grows when a skill or the visitor's rights change.
const changes = (): number => revision.resources.value + revision.tools.value;

function State(props: { proposal: JsonObject }) {
  const state = textOf(props.proposal, 'state');
  return <Badge tone={stateTones[state] ?? 'plain'}>{oneLine(state, 40)}</Badge>;
}

function decisionWords(proposal: JsonObject): string {
  const who = textOf(proposal, 'reviewer');
  const reason = textOf(proposal, 'reason');
  return who === '' ? '' : `by ${oneLine(who, 100)}${reason === '' ? '' : `: ${oneLine(reason, 600)}`}`;
}

export function Proposals() {
  const shown = tabs.find((tab) => tab.id === route.value.query.get('state'))?.id ?? 'pending';
  const proposals = useQuery(`proposals:${shown}`, (signal) => readProposals(shown === 'all' ? '' : shown, signal), { revision: changes(), every: 30_000 });
  const { data, failure } = proposals;
  return (
    <>
      <Heading title="Proposals">
        <TabLinks label="State of the proposals" current={shown} tabs={tabs} href={(id) => link('proposals', '', { state: id })} />
      </Heading>
      <Stale failure={failure} data={data} what="The proposals" />
      {failure && !data && <Unavailable failure={failure} what="Proposals" again={proposals.again} />}
      {!data && !failure && <Loading what="the proposals" />}
      {data && !mayDecide() && <Notice>You see your own proposals. Deciding on them takes a token with the scope skills:review.</Notice>}
      {data && (
        <Panel title={mayDecide() ? 'Proposals of everybody' : 'Your proposals'} aside={<span class="quiet">{plural(data.length, 'proposal')}</span>}>
          <Table
            label="Proposals"
            empty={shown === 'pending' ? 'Nothing waits for a decision.' : 'There is none.'}
            rows={data}
            columns={[
              { head: 'Skill', wide: true, cell: (one) => <a href={link('proposal', textOf(one, 'id'))}>{oneLine(textOf(one, 'name'), 100)}</a> },
              { head: 'Kind', cell: (one) => (one['change'] === true ? 'change' : 'new') },
              { head: 'State', cell: (one) => <State proposal={one} /> },
              { head: 'By', cell: (one) => oneLine(textOf(one, 'proposer'), 100) },
              { head: 'When', cell: (one) => <When time={timeOf(one['when'])} /> },
              { head: 'Findings', numeric: true, cell: (one) => count(numberIn(one, 'findings_total')) },
              { head: 'Note and decision', wide: true, cell: (one) => (
                <>
                  {oneLine(textOf(one, 'note'), 300)}
                  {decisionWords(one) !== '' && <span class="block quiet">{textOf(one, 'state')} {decisionWords(one)}</span>}
                </>
              ) },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

export function Proposal() {
  const id = route.value.rest;
  const shown = useQuery(`proposal:${id}`, (signal) => readProposal(id, signal), { revision: changes(), onReturn: true });
  const { data, failure } = shown;
  return (
    <>
      <Heading title={data ? `Proposal of ${textOf(data.proposal, 'name')}` : 'Proposal'} full={oneLine(id, 1000)}>
        <a class="button small" href={link('proposals')}>
          All proposals
        </a>
      </Heading>
      <Stale failure={failure} data={data} what="The proposal" />
      {failure && !data && <Unavailable failure={failure} what="This proposal" again={shown.again} />}
      {!data && !failure && <Loading what="the proposal and what it changes" />}
      {data && <Shown id={id} shown={data} again={shown.again} />}
    </>
  );
}

function Shown(props: { id: string; shown: ShownProposal; again: () => void }) {
  const { id, shown } = props;
  const { proposal, digest, base } = shown;
  const said = useMemo(() => JSON.stringify([digest, base, shown.files]), [digest, base, shown.files]);
  const whole = useWhole(said, useMemo(() => shown.files, [said]), useMemo(() => partsOfProposal(id, { digest, base }), [id, digest, base]));
  const { files } = whole;
  const isPending = textOf(proposal, 'state') === 'pending';
  const [written, setWritten] = useState('');
  return (
    <>
      <Panel title="State" aside={<State proposal={proposal} />}>
        <p>
          A {shown.isChange ? 'change' : 'new skill'}, proposed by {oneLine(textOf(proposal, 'proposer'), 100)}
          {textOf(proposal, 'issuer') !== '' && ` (${oneLine(textOf(proposal, 'issuer'), 200)})`}, <When time={timeOf(proposal['when'])} />.
        </p>
        {textOf(proposal, 'note') !== '' && <p>Note: {oneLine(textOf(proposal, 'note'), 2000)}</p>}
        <p class="quiet">
          {plural(numberIn(proposal, 'files') ?? 0, 'file')}, {bytes(numberIn(proposal, 'bytes'))}. Digest <code class="break">{oneLine(digest, 200)}</code>
        </p>
        {!isPending && (
          <p>
            Decided: {oneLine(textOf(proposal, 'state'), 40)} {decisionWords(proposal)}, <When time={timeOf(proposal['decided'])} />
          </p>
        )}
        {isPending && !mayDecide() && <p>It waits for a reviewer, and is not served until then.</p>}
        {shown.isOutdated && (
          <Notice tone="warning" live title="The skill has changed since the proposal.">
            The difference below is that to the skill as it is now. An approval also takes back what has changed since.
          </Notice>
        )}
      </Panel>
      <Panel title="Findings">
        <FindingTable findings={listOf(proposal, 'findings')} />
      </Panel>
      <Panel title={shown.isChange ? 'Difference to the skill' : 'Content'} aside={<span class="quiet">{plural(files.length, 'file')}</span>}>
        {files.length === 0 && <p class="quiet">No file differs.</p>}
        {files.map((file) => (
          <ChangedFile key={file.path} file={file} open={files.length <= 5} />
        ))}
        <Unread whole={whole} again={props.again} />
      </Panel>
      {isPending && mayDecide() && <Decide key={`${digest} ${base}`} id={id} shown={shown} files={files} told={setWritten} again={props.again} />}
      {!isPending && written !== '' && (
        <Notice tone="good" title="Written down.">
          {oneLine(written, 600)}
        </Notice>
      )}
    </>
  );
}

function Decide(props: { id: string; shown: ShownProposal; files: ReviewedFile[]; told: (words: string) => void; again: () => void }) {
  const { id, shown } = props;
  const [overwrites, setOverwrites] = useState(false);
  const seen = useSeen(props.files);
  const obstacle = seen.obstacle ?? (shown.isOutdated && !overwrites ? 'Approving takes your word on the change since the proposal.' : undefined);
  return (
    <DecisionPanel
      hint="The proposer reads it, and it goes into the audit."
      mayDecide
      obstacle={obstacle}
      changed="The proposal, or the skill that it changes, is no longer what you looked at"
      decide={async (decision, reason) => {
        const { data } = await callTool(decideTool, decisionOn(id, shown, decision, reason));
        props.told(textOf(data, 'message'));
        return textOf(data, 'message');
      }}
      again={props.again}
    >
      {seen.notice}
      {shown.isOutdated && (
        <label class="choice">
          <input type="checkbox" checked={overwrites} onChange={(event) => setOverwrites(event.currentTarget.checked)} />I have seen what has changed in the skill since the proposal, and the proposal shall replace it
        </label>
      )}
    </DecisionPanel>
  );
}
