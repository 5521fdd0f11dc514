// SPDX-License-Identifier: Apache-2.0
// Shows skills that are held back or served with a warning, and what has changed in them since they were approved, and
// records decisions. A decision names the digest of the content that the reviewer has seen, so it does not apply to
// other content.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { listOf, textOf } from '../data/joined';
import { filesOf, isCut, partsOfReview, reviewTool as toolName, seenOf, takesSeen, type ReviewedFile } from '../data/review';
import { callTool, readOwn, revision, updatedAt, type ToolAnswer } from '../data/server';
import { failureOf } from '../mcp/failure';
import { isObject, type JsonObject } from '../mcp/messages';
import { count, plural, timeOf } from '../text/format';
import { oneLine } from '../text/visible';
import { DecisionPanel } from '../ui/decision_panel';
import { useQuery } from '../ui/hooks';
import { Badge, Field, Loading, Notice, Panel, Stale, Table, Unavailable, When, type Tone } from '../ui/parts';
import { ChangedFile, Unread, useSeen, useWhole } from '../ui/reviewed_files';
import { link, route } from '../ui/router';
import { Heading } from '../ui/shell';
import { FindingTable } from './skill';

const maxPages = 50;

interface List {
  data: JsonObject;
  mayDecide: boolean;
}

// Reviewers have the tool. Managers who are not reviewers have only the resource.
async function readReviews(signal: AbortSignal): Promise<List> {
  try {
    const { data } = await callTool(toolName, { action: 'list' }, { signal });
    const reviews = listOf(data, 'reviews');
    for (let page = 1; page < maxPages && reviews.length < Number(data['total'] ?? 0); page += 1) {
      const next = listOf((await callTool(toolName, { action: 'list', offset: reviews.length }, { signal })).data, 'reviews');
      if (next.length === 0) break;
      reviews.push(...next);
    }
    return { data: { ...data, reviews }, mayDecide: true };
  } catch (reason) {
    const failure = failureOf(reason);
    if (failure.kind !== 'missing' && failure.kind !== 'forbidden') throw failure;
    return { data: await readOwn('reviews', { signal }), mayDecide: false };
  }
}

// Grows when a skill or a decision changes.
const changes = (): number => revision.resources.value + (updatedAt.value['skillhost://reviews'] ?? 0);

function actionTone(action: string): Tone {
  return action === 'quarantine' ? 'bad' : action === 'warn' ? 'warning' : 'good';
}

const actionWords: Record<string, string> = { quarantine: 'held back', warn: 'served with a warning', serve: 'served' };

export function Reviews() {
  const reviews = useQuery('reviews', readReviews, { revision: changes() + revision.tools.value, every: 30_000 });
  const { data, failure } = reviews;
  const rows = listOf(data?.data, 'reviews');
  const problem = textOf(data?.data, 'problem');
  const states = isObject(data?.data['states']) ? Object.entries(data.data['states']) : [];
  return (
    <>
      <Heading title="Reviews" />
      <Stale failure={failure} data={data} what="The reviews" />
      {failure && !data && (
        <>
          <Unavailable failure={failure} what="Reviews" again={reviews.again} />
          <p class="quiet">A server reviews when its configuration has rules of trust. Deciding takes the scope skills:review.</p>
        </>
      )}
      {!data && !failure && <Loading what="the reviews" />}
      {problem !== '' && (
        <Notice tone="bad" title="The file of approvals cannot be read.">
          {oneLine(problem, 800)}
        </Notice>
      )}
      {data && !data.mayDecide && <Notice>You see what waits. Approving and rejecting takes a token with the scope skills:review.</Notice>}
      {data && (
        <Panel title="Waiting for a decision" aside={<span class="quiet">{states.map(([state, number]) => `${count(Number(number))} ${state}`).join(', ')}</span>}>
          <Table
            label="Skills that wait for a decision"
            empty="Nothing waits: no skill is held back or served with a warning."
            rows={rows}
            columns={[
              { head: 'Skill', wide: true, cell: (review) => <a href={link('review', textOf(review, 'id'))}>{oneLine(textOf(review, 'id'), 200)}</a> },
              { head: 'Now', cell: (review) => <Badge tone={actionTone(textOf(review, 'action'))}>{actionWords[textOf(review, 'action')] ?? textOf(review, 'action')}</Badge> },
              { head: 'State', cell: (review) => textOf(review, 'state') },
              { head: 'Findings', numeric: true, cell: (review) => count(Number(review['findings_total'] ?? listOf(review, 'findings').length)) },
              { head: 'Why', wide: true, cell: (review) => oneLine(textOf(review, 'reason'), 400) },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

export function Review() {
  const id = route.value.rest;
  const shown = useQuery(`review:${id}`, (signal) => callTool(toolName, { action: 'show', skill_name: id }, { signal }), { revision: changes(), onReturn: true });
  const { data, failure } = shown;
  const review = isObject(data?.data['review']) ? data.data['review'] : undefined;
  return (
    <>
      <Heading title={`Review of ${id.split('/').pop() ?? id}`} full={oneLine(id, 1000)}>
        <a class="button small" href={link('reviews')}>
          All reviews
        </a>
      </Heading>
      <p class="quiet breadcrumb">{oneLine(id, 300)}</p>
      <Stale failure={failure} data={data} what="The review" />
      {failure && !data && <Unavailable failure={failure} what="This review" again={shown.again} />}
      {!data && !failure && <Loading what="the skill and what changed" />}
      {review && data && <Shown id={id} review={review} answer={data} again={shown.again} />}
    </>
  );
}

function Shown(props: { id: string; review: JsonObject; answer: ToolAnswer; again: () => void }) {
  const { review } = props;
  const digest = textOf(review, 'digest');
  const { data } = props.answer;
  const said = useMemo(() => JSON.stringify([digest, data['base'] ?? null, data['files'] ?? [], data['message'] ?? '']), [digest, data]);
  const read = useMemo(() => partsOfReview(props.id, digest), [props.id, digest]);
  const whole = useWhole(said, useMemo(() => filesOf(data), [said]), read);
  const { files } = whole;
  const decision = isObject(review['decision']) ? review['decision'] : undefined;
  const compared = props.answer.data['base'] !== null;
  const unread = files.filter((file) => file.next !== undefined);
  const message = textOf(props.answer.data, 'message');
  return (
    <>
      <Panel title="State" aside={<Badge tone={actionTone(textOf(review, 'action'))}>{actionWords[textOf(review, 'action')] ?? textOf(review, 'action')}</Badge>}>
        <p>{oneLine(textOf(review, 'reason'), 800) || `State: ${textOf(review, 'state')}.`}</p>
        <p class="quiet">
          {plural(Number(review['files'] ?? 0), 'file')}, {review['signed'] === true ? 'signed by a trusted key' : 'not signed'}. Digest <code class="break">{digest || 'unknown: not all of its files can be read'}</code>
        </p>
        {decision && (
          <p>
            Last decision: {textOf(decision, 'verdict')} by {oneLine(textOf(decision, 'who'), 100)}, <When time={timeOf(decision['when'])} />
            {textOf(decision, 'reason') !== '' && `: ${oneLine(textOf(decision, 'reason'), 600)}`}
            {timeOf(decision['expires']) && (
              <>
                ; it ends <When time={timeOf(decision['expires'])} />
              </>
            )}
          </p>
        )}
      </Panel>
      <Panel title="Findings">
        <FindingTable findings={listOf(review, 'findings')} />
      </Panel>
      <Panel title={compared ? 'Since the last decision' : 'Content'} aside={<span class="quiet">{plural(files.length, 'file')}</span>}>
        {message !== '' && (unread.length > 0 || !isCut(props.answer.data)) && <Notice tone="warning">The server says: {oneLine(message, 600)}</Notice>}
        {files.length === 0 && <p class="quiet">No file differs from what was decided on.</p>}
        {files.map((file) => (
          <ChangedFile key={file.path} file={file} open={files.length <= 5} />
        ))}
        <Unread whole={whole} again={props.again} />
      </Panel>
      {digest !== '' && <Decide key={digest} id={props.id} digest={digest} review={review} files={files} again={props.again} />}
    </>
  );
}

function Decide(props: { id: string; digest: string; review: JsonObject; files: ReviewedFile[]; again: () => void }) {
  const [expires, setExpires] = useState('');
  const seen = useSeen(props.files);
  // Holds the decision that the reviewer has seen. A newer decision replaces it when the reviewer says that they have
  // seen it.
  const decision = isObject(props.review['decision']) ? props.review['decision'] : undefined;
  const now = JSON.stringify(decision ?? null);
  const [looked, setLooked] = useState({ text: now, id: seenOf(props.review) });
  // the decision that the reviewer has just made and that is not shown yet
  const own = useRef<{ id: string | undefined } | undefined>(undefined);
  const look = (): void => setLooked({ text: now, id: seenOf(props.review) });
  useEffect(() => {
    const written = own.current;
    if (!written) return;
    own.current = undefined;
    // If the server gives decisions ids, a different id means that somebody else has decided right afterwards.
    if (written.id === undefined || written.id === seenOf(props.review)) look();
    else setLooked({ text: '', id: written.id });
  }, [props.review]);
  const another = looked.text !== now && !own.current;
  const decide = async (action: 'approve' | 'reject', reason: string): Promise<string> => {
    const words = { ...(reason === '' ? {} : { reason }), ...(expires.trim() === '' ? {} : { expires: expires.trim() }) };
    const args: JsonObject = { action, skill_name: props.id, digest: props.digest, ...words };
    if (looked.id !== undefined && (await takesSeen())) args['seen'] = looked.id;
    const { data } = await callTool(toolName, args);
    const written = isObject(data['review']) ? data['review']['decision'] : undefined;
    own.current = { id: isObject(written) ? textOf(written, 'id') || undefined : undefined };
    return textOf(data, 'message');
  };
  return (
    <DecisionPanel hint="It goes into the file of approvals and the audit." mayDecide={!another} obstacle={seen.obstacle} changed="The skill, or what was decided about it, has changed since you looked at it" decide={decide} again={props.again}>
      <Field label="Ends" hint="Such as 90d, 2027-01-31 or 2027-01-31T12:00:00Z. Left empty: never.">
        {({ id, describedBy }) => <input id={id} value={expires} aria-describedby={describedBy} onInput={(event) => setExpires(event.currentTarget.value)} />}
      </Field>
      {seen.notice}
      {another && (
        <Notice tone="bad" live title="Somebody has decided meanwhile.">
          {decision ? `${textOf(decision, 'verdict')} by ${oneLine(textOf(decision, 'who'), 100)}${textOf(decision, 'reason') === '' ? '' : `: ${oneLine(textOf(decision, 'reason'), 600)}`}. ` : 'The decision that was shown here is gone. '}
          <button type="button" class="small" onClick={look}>
            I have seen this
          </button>
        </Notice>
      )}
    </DecisionPanel>
  );
}
