// SPDX-License-Identifier: Apache-2.0
// Approves or rejects something with a reason, and says what became of that.

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { announcement } from '../data/server';
import { failureOf, type Failure } from '../mcp/failure';
import { oneLine } from '../text/visible';
import { Field, Notice, Panel, Unavailable } from './parts';

export type Decision = 'approve' | 'reject';

interface Properties {
  hint: string; // says where the reason goes
  children?: ComponentChildren; // between the reason and the buttons
  mayDecide: boolean;
  obstacle: string | undefined; // why the reviewer may not approve yet
  changed: string; // what a conflict means, without a full stop
  decide: (decision: Decision, reason: string) => Promise<string>; // returns the server's words
  again: () => void;
}

export function DecisionPanel(props: Properties) {
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState<Decision>();
  const [failure, setFailure] = useState<Failure>();
  const [message, setMessage] = useState('');
  const why = useId();
  const { obstacle } = props;
  const decide = async (decision: Decision): Promise<void> => {
    setBusy(decision);
    setFailure(undefined);
    setMessage('');
    const said = await props.decide(decision, reason.trim()).catch((reason: unknown) => failureOf(reason));
    setBusy(undefined);
    if (said instanceof Error) return setFailure(said);
    setMessage(said || `${decision}d.`);
    announcement.value = decision === 'approve' ? 'Approved.' : 'Rejected.';
    props.again();
  };
  const waits = busy !== undefined || !props.mayDecide;
  return (
    <Panel title="Decide">
      <form onSubmit={(event) => event.preventDefault()}>
        <Field label="Reason" hint={props.hint}>
          {({ id, describedBy }) => <textarea id={id} rows={2} maxLength={2000} value={reason} aria-describedby={describedBy} onInput={(event) => setReason(event.currentTarget.value)} />}
        </Field>
        {props.children}
        <p class="row">
          <button type="button" class="primary" disabled={waits || obstacle !== undefined} aria-describedby={obstacle === undefined ? undefined : why} onClick={() => void decide('approve')}>
            {busy === 'approve' ? 'Approving…' : 'Approve'}
          </button>
          <button type="button" class="danger" disabled={waits} onClick={() => void decide('reject')}>
            {busy === 'reject' ? 'Rejecting…' : 'Reject'}
          </button>
        </p>
        {obstacle !== undefined && (
          <p class="quiet" id={why}>
            {obstacle}
          </p>
        )}
      </form>
      {failure && (
        <>
          {failure.details.code === 'CONFLICT' && (
            <Notice tone="warning" live>
              {props.changed}: {oneLine(failure.message, 600)} <button type="button" class="small" onClick={props.again}>Show it as it is now</button>
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
