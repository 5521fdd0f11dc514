// SPDX-License-Identifier: Apache-2.0
// Shows skills that are held back or served with a warning, and what has changed in them since they were approved, and
// records decisions. A decision names the digest of the content that the reviewer has seen, so it does not apply to
// other content.

import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { listOf, textOf } from '../data/joined';
import { filesOf, hunksOf, isCut, notShown, readRest, reviewTool as toolName, seenOf, takesSeen, type ReviewedFile } from '../data/review';
import { announcement, callTool, readOwn, revision, updatedAt, type ToolAnswer } from '../data/server';
import { failureOf, type Failure } from '../mcp/failure';
import { isObject, type JsonObject } from '../mcp/messages';
import { bytes, count, plural, timeOf } from '../text/format';
import { oneLine } from '../text/visible';
import { useQuery } from '../ui/hooks';
import { Badge, Field, Loading, Notice, Panel, Stale, Table, Unavailable, When, type Tone } from '../ui/parts';
import { link, route } from '../ui/router';
import { Heading } from '../ui/shell';
import { DifferenceView, TextView } from '../ui/text_view';
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

// The page reads up to this many characters of all files without being asked, and as many again whenever the reviewer
// asks for more.
const readAtOnce = 4_000_000;

interface Whole {
  files: ReviewedFile[];
  reading: boolean;
  failure: Failure | undefined;
  more: () => void;
}

// Reads the rest of texts that the server has cut. If a new answer equals the last one, the files that were read stay.
function useWhole(id: string, digest: string, answer: ToolAnswer): Whole {
  const said = useMemo(() => JSON.stringify([digest, answer.data['base'] ?? null, answer.data['files'] ?? [], answer.data['message'] ?? '']), [digest, answer]);
  const [state, setState] = useState<{ said: string; files: ReviewedFile[]; reading: boolean; failure?: Failure }>({ said: '', files: [], reading: false });
  const [wishes, setWishes] = useState(0);
  const first = useMemo(() => filesOf(answer.data), [said]);
  const current = state.said === said ? state : { said, files: first, reading: true };
  useEffect(() => {
    const leaving = new AbortController();
    let files = current.files;
    const say = (reading: boolean, failure?: Failure): void => {
      if (!leaving.signal.aborted) setState({ said, files, reading, ...(failure ? { failure } : {}) });
    };
    say(true);
    readRest(id, digest, files, readAtOnce, (now) => ((files = now), say(true)), leaving.signal).then(
      () => say(false),
      (reason: unknown) => say(false, failureOf(reason)),
    );
    return () => leaving.abort();
  }, [id, said, wishes]);
  return { files: current.files, reading: current.reading, failure: state.said === said ? state.failure : undefined, more: () => setWishes((before) => before + 1) };
}

function Shown(props: { id: string; review: JsonObject; answer: ToolAnswer; again: () => void }) {
  const { review } = props;
  const digest = textOf(review, 'digest');
  const { files, reading, failure, more } = useWhole(props.id, digest, props.answer);
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
        {unread.length > 0 && <Unread files={unread} reading={reading} failure={failure} more={more} again={props.again} />}
      </Panel>
      {digest !== '' && <Decide key={digest} id={props.id} digest={digest} review={review} files={files} again={props.again} />}
    </>
  );
}

function Unread(props: { files: ReviewedFile[]; reading: boolean; failure: Failure | undefined; more: () => void; again: () => void }) {
  const { files, failure } = props;
  const left = files.reduce((sum, file) => sum + (file.left ?? 0), 0);
  return (
    <>
      <Notice tone="warning" live>
        {props.reading ? 'The rest is being read: ' : 'Not all of it is shown yet: '}
        {plural(files.length, 'file')}
        {left > 0 && `, ${bytes(left)} more`}.{' '}
        {!props.reading && !failure && (
          <button type="button" class="small" onClick={props.more}>
            Read on
          </button>
        )}
      </Notice>
      {failure && <Unavailable failure={failure} what="The rest of it" again={failure.details.code === 'CONFLICT' ? props.again : props.more} />}
    </>
  );
}

function ChangedFile(props: { file: ReviewedFile; open: boolean }) {
  const { file } = props;
  const path = oneLine(file.path, 200);
  const hunks = useMemo(() => hunksOf(file), [file.text]);
  return (
    <details open={props.open}>
      <summary>
        {path} <Badge tone={file.change === 'new' ? 'good' : file.change === 'gone' ? 'bad' : 'warning'}>{file.change}</Badge>
        {file.executable === true && <> <Badge tone="warning">{file.change === 'new' ? 'executable' : 'now executable'}</Badge></>}
        {file.executable === false && <> <Badge>no longer executable</Badge></>}
        {file.next !== undefined && <> <Badge tone="warning">not all of it is here yet</Badge></>}
      </summary>
      {hunks.length > 0 ? <DifferenceView hunks={hunks} label={`Difference of ${path}`} /> : <TextView text={file.text} label={path} />}
    </details>
  );
}

// Lists the files that cannot be shown. The reviewer can approve the skill only after accepting that.
function Unshown(props: { files: { path: string; why: string }[]; accepted: boolean; accept: (yes: boolean) => void }) {
  return (
    <Notice tone="warning">
      This page cannot show {plural(props.files.length, 'file')}:
      <ul>
        {props.files.map((file) => (
          <li key={file.path}>
            {oneLine(file.path, 400)}: {oneLine(file.why, 400)}
          </li>
        ))}
      </ul>
      <label class="choice">
        <input type="checkbox" checked={props.accepted} onChange={(event) => props.accept(event.currentTarget.checked)} />I have looked at {props.files.length === 1 ? 'this file' : 'these files'} elsewhere, or approve without having seen {props.files.length === 1 ? 'it' : 'them'}
      </label>
    </Notice>
  );
}

function Decide(props: { id: string; digest: string; review: JsonObject; files: ReviewedFile[]; again: () => void }) {
  const [reason, setReason] = useState('');
  const [expires, setExpires] = useState('');
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [message, setMessage] = useState('');
  const [accepted, setAccepted] = useState('');
  const why = useId();
  const unread = props.files.some((file) => file.next !== undefined);
  const unshown = useMemo(() => props.files.flatMap((file) => ((words) => (words === undefined ? [] : [{ path: file.path, why: words }]))(notShown(file))), [props.files]);
  const list = JSON.stringify(unshown); // accepting one list does not accept another list
  const mayApprove = !unread && (unshown.length === 0 || accepted === list);
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
  const decide = async (action: 'approve' | 'reject'): Promise<void> => {
    setBusy(action);
    setFailure(undefined);
    setMessage('');
    const words = { ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...(expires.trim() === '' ? {} : { expires: expires.trim() }) };
    const answer = await (async () => {
      const args: JsonObject = { action, skill_name: props.id, digest: props.digest, ...words };
      if (looked.id !== undefined && (await takesSeen())) args['seen'] = looked.id;
      return callTool(toolName, args);
    })().catch((reason: unknown) => failureOf(reason));
    setBusy('');
    if (answer instanceof Error) return setFailure(answer);
    const written = isObject(answer.data['review']) ? answer.data['review']['decision'] : undefined;
    own.current = { id: isObject(written) ? textOf(written, 'id') || undefined : undefined };
    const said = textOf(answer.data, 'message') || `${action}d.`;
    setMessage(said);
    announcement.value = action === 'approve' ? 'Approved.' : 'Rejected.';
    props.again();
  };
  return (
    <Panel title="Decide">
      <form onSubmit={(event) => event.preventDefault()}>
        <Field label="Reason" hint="It goes into the file of approvals and the audit.">
          {({ id, describedBy }) => <textarea id={id} rows={2} maxLength={2000} value={reason} aria-describedby={describedBy} onInput={(event) => setReason(event.currentTarget.value)} />}
        </Field>
        <Field label="Ends" hint="Such as 90d, 2027-01-31 or 2027-01-31T12:00:00Z. Left empty: never.">
          {({ id, describedBy }) => <input id={id} value={expires} aria-describedby={describedBy} onInput={(event) => setExpires(event.currentTarget.value)} />}
        </Field>
        {unshown.length > 0 && <Unshown files={unshown} accepted={accepted === list} accept={(yes) => setAccepted(yes ? list : '')} />}
        {another && (
          <Notice tone="bad" live title="Somebody has decided meanwhile.">
            {decision ? `${textOf(decision, 'verdict')} by ${oneLine(textOf(decision, 'who'), 100)}${textOf(decision, 'reason') === '' ? '' : `: ${oneLine(textOf(decision, 'reason'), 600)}`}. ` : 'The decision that was shown here is gone. '}
            <button type="button" class="small" onClick={look}>
              I have seen this
            </button>
          </Notice>
        )}
        <p class="row">
          <button type="button" class="primary" disabled={busy !== '' || another || !mayApprove} aria-describedby={mayApprove ? undefined : why} onClick={() => void decide('approve')}>
            {busy === 'approve' ? 'Approving…' : 'Approve'}
          </button>
          <button type="button" class="danger" disabled={busy !== '' || another} onClick={() => void decide('reject')}>
            {busy === 'reject' ? 'Rejecting…' : 'Reject'}
          </button>
        </p>
        {!mayApprove && (
          <p class="quiet" id={why}>
            {unread ? 'Approving has to wait until all that changed is shown.' : 'Approving takes your word on what cannot be shown.'}
          </p>
        )}
      </form>
      {failure && (
        <>
          {failure.details.code === 'CONFLICT' && (
            <Notice tone="warning" live>
              The skill, or what was decided about it, has changed since you looked at it: {oneLine(failure.message, 600)} <button type="button" class="small" onClick={props.again}>Show it as it is now</button>
            </Notice>
          )}
          <Unavailable failure={failure} what="The decision" />
        </>
      )}
      {message !== '' && (
        <Notice tone="good" live title="Written down.">
          {oneLine(message, 600)}
        </Notice>
      )}
    </Panel>
  );
}
