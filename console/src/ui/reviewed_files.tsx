// SPDX-License-Identifier: Apache-2.0
// Shows the files on which a reviewer decides, to their ends, and names those that cannot be shown.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { hunksOf, notShown, readRest, type ReadPart, type ReviewedFile } from '../data/review';
import { failureOf, type Failure } from '../mcp/failure';
import { bytes, plural } from '../text/format';
import { oneLine } from '../text/visible';
import { Badge, Notice, Unavailable } from './parts';
import { DifferenceView, TextView } from './text_view';

// The page reads up to this many characters of all files without being asked, and as many again whenever the reviewer
// asks for more.
const readAtOnce = 4_000_000;

export interface Whole {
  files: ReviewedFile[];
  reading: boolean;
  failure: Failure | undefined;
  more: () => void;
}

// Reads the rest of texts that the server has cut. `said` stands for the answer that has `first`, the beginning of each
// file: if a new answer equals the last one, the files that were read stay.
export function useWhole(said: string, first: ReviewedFile[], read: ReadPart): Whole {
  const [state, setState] = useState<{ said: string; files: ReviewedFile[]; reading: boolean; failure?: Failure }>({ said: '', files: [], reading: false });
  const [wishes, setWishes] = useState(0);
  const current = state.said === said ? state : { said, files: first, reading: true };
  useEffect(() => {
    const leaving = new AbortController();
    let files = current.files;
    const say = (reading: boolean, failure?: Failure): void => {
      if (!leaving.signal.aborted) setState({ said, files, reading, ...(failure ? { failure } : {}) });
    };
    say(true);
    readRest(read, files, readAtOnce, (now) => ((files = now), say(true)), leaving.signal).then(
      () => say(false),
      (reason: unknown) => say(false, failureOf(reason)),
    );
    return () => leaving.abort();
  }, [said, wishes]);
  return { files: current.files, reading: current.reading, failure: state.said === said ? state.failure : undefined, more: () => setWishes((before) => before + 1) };
}

// Says what is not read yet. Shows nothing if all is.
export function Unread(props: { whole: Whole; again: () => void }) {
  const { reading, failure, more } = props.whole;
  const files = props.whole.files.filter((file) => file.next !== undefined);
  if (files.length === 0) return null;
  const left = files.reduce((sum, file) => sum + (file.left ?? 0), 0);
  return (
    <>
      <Notice tone="warning" live>
        {reading ? 'The rest is being read: ' : 'Not all of it is shown yet: '}
        {plural(files.length, 'file')}
        {left > 0 && `, ${bytes(left)} more`}.{' '}
        {!reading && !failure && (
          <button type="button" class="small" onClick={more}>
            Read on
          </button>
        )}
      </Notice>
      {failure && <Unavailable failure={failure} what="The rest of it" again={failure.details.code === 'CONFLICT' ? props.again : more} />}
    </>
  );
}

export function ChangedFile(props: { file: ReviewedFile; open: boolean }) {
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
      {file.remark && <p class="quiet">{oneLine(file.remark, 600)}</p>}
      {hunks.length > 0 ? <DifferenceView hunks={hunks} label={`Difference of ${path}`} /> : (file.text !== '' || !file.remark) && <TextView text={file.text} label={path} />}
    </details>
  );
}

// Says whether the reviewer may approve what was shown of the files.
export interface Seen {
  obstacle: string | undefined; // why the reviewer may not approve yet
  notice: ComponentChildren; // names the files that cannot be shown, with a box that accepts that
}

export function useSeen(files: ReviewedFile[]): Seen {
  const [accepted, setAccepted] = useState('');
  const unread = files.some((file) => file.next !== undefined);
  const unshown = useMemo(() => files.flatMap((file) => ((words) => (words === undefined ? [] : [{ path: file.path, why: words }]))(notShown(file))), [files]);
  const list = JSON.stringify(unshown); // accepting one list does not accept another list
  const isAccepted = unshown.length === 0 || accepted === list;
  return {
    obstacle: unread ? 'Approving has to wait until all that changed is shown.' : isAccepted ? undefined : 'Approving takes your word on what cannot be shown.',
    notice: unshown.length > 0 && <Unshown files={unshown} accepted={accepted === list} accept={(yes) => setAccepted(yes ? list : '')} />,
  };
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
