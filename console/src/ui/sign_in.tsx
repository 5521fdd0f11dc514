// SPDX-License-Identifier: Apache-2.0
// Lets the visitor sign in with a token, or with the provider that the server names.

import { useEffect, useRef, useState } from 'preact/hooks';
import { endpoint } from '../data/server';
import { decline, signedIn, signInWanted, use, type Keep } from '../data/session';
import { challengeParameter } from '../mcp/failure';
import { metadata, signInBeside, signInHere } from '../signin/flow';
import { scopesNeeded, type ProtectedResource } from '../signin/provider';
import { oneLine } from '../text/visible';
import { Dialog, Field, Notice } from './parts';

export const returnProblem = { message: '' };

export function SignIn() {
  const wanted = signInWanted.value;
  return (
    <Dialog title="Sign in" open={wanted !== undefined} onClose={decline}>
      {wanted && <Form reason={wanted.reason} challenge={wanted.challenge} />}
    </Dialog>
  );
}

function Form(props: { reason: string; challenge: string | null }) {
  const [keep, setKeep] = useState<Keep>('memory');
  const [problem, setProblem] = useState(returnProblem.message);
  const [resource, setResource] = useState<ProtectedResource>();
  useEffect(() => {
    metadata(endpoint, challengeParameter(props.challenge, 'resource_metadata')).then(setResource, () => undefined);
  }, [props.challenge]);
  return (
    <>
      <p>{props.reason}</p>
      {problem !== '' && (
        <Notice tone="bad" live>
          {oneLine(problem, 600)}
        </Notice>
      )}
      <TokenForm keep={keep} />
      {resource && <ProviderForm resource={resource} keep={keep} challenge={props.challenge} report={setProblem} />}
      <fieldset>
        <legend>Where the token is kept</legend>
        {(
          [
            ['memory', 'In memory, until this page is closed or loaded again'],
            ['tab', 'In this tab, until it is closed'],
            ['browser', 'In this browser, until you sign out. Anyone who uses it can use the token'],
          ] as const
        ).map(([value, label]) => (
          <label key={value} class="choice">
            <input type="radio" name="keep" value={value} checked={keep === value} onChange={() => setKeep(value)} />
            {label}
          </label>
        ))}
      </fieldset>
      <p class="row end">
        <button type="button" onClick={decline}>
          Not now
        </button>
      </p>
    </>
  );
}

function TokenForm(props: { keep: Keep }) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = (event: Event): void => {
    event.preventDefault();
    const trimmed = token.trim().replace(/^Bearer\s+/i, '');
    // RFC 6750 allows only these characters (b64token). Others could not be sent in the header field.
    if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(trimmed)) return setProblem(trimmed === '' ? 'Paste a token.' : 'A token has letters, digits and - . _ ~ + / = only, without blanks.');
    use({ access: trimmed }, undefined, props.keep);
  };
  return (
    <form onSubmit={submit}>
      <Field label="Token" hint="It is sent to this server alone, as Authorization: Bearer." problem={problem}>
        {({ id, describedBy }) => (
          <input id={id} type="password" autocomplete="off" spellcheck={false} value={token} aria-describedby={describedBy} aria-invalid={problem !== undefined} onInput={(event) => setToken(event.currentTarget.value)} />
        )}
      </Field>
      <p class="row">
        <button type="submit" class="primary">
          Use this token
        </button>
      </p>
    </form>
  );
}

// A provider may refuse the whole sign-in because of one scope that the visitor may not have, so optional scopes have
// to be chosen.
const scopeWords = new Map([
  ['skills:read', 'read skills'],
  ['skills:manage', 'see figures, sources, findings and the audit'],
  ['skills:review', 'approve and reject skills'],
  ['skills:propose', 'propose skills, and see what became of the proposals'],
]);

function ProviderForm(props: { resource: ProtectedResource; keep: Keep; challenge: string | null; report: (problem: string) => void }) {
  const { resource } = props;
  const asked = challengeParameter(props.challenge, 'scope')?.split(' ') ?? [];
  const [issuer, setIssuer] = useState(resource.servers[0] ?? '');
  const [clientId, setClientId] = useState('');
  const [busy, setBusy] = useState(false);
  const needed = scopesNeeded(resource.scopes, asked);
  const [wished, setWished] = useState<string[]>([]);
  const more = resource.scopes.filter((scope) => !needed.includes(scope));
  // Stops waiting for the provider when the visitor cancels or closes the dialog.
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    props.report('');
    setBusy(true);
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    const choice = { resource, issuer, clientId: clientId.trim(), scopes: [...needed, ...more.filter((scope) => wished.includes(scope))], keep: props.keep };
    try {
      // If the visitor was signed in, a view may have unsaved work, so the page stays open and another window is used.
      if (signedIn.value) await signInBeside(choice, signal);
      else await signInHere(choice);
    } catch (reason) {
      props.report(reason instanceof Error ? reason.message : String(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} class="separate">
      {resource.servers.length > 1 ? (
        <Field label="Provider">
          {({ id }) => (
            <select id={id} value={issuer} onChange={(event) => setIssuer(event.currentTarget.value)}>
              {resource.servers.map((server) => (
                <option key={server}>{server}</option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <p>
          Or sign in with <code>{oneLine(issuer)}</code>, which this server names.
        </p>
      )}
      <Field label="Client id" hint="As the provider knows this page. Left empty, the page registers itself where the provider allows that.">
        {({ id, describedBy }) => <input id={id} type="text" autocomplete="off" spellcheck={false} value={clientId} aria-describedby={describedBy} onInput={(event) => setClientId(event.currentTarget.value)} />}
      </Field>
      {more.length > 0 && (
        <fieldset>
          <legend>Ask for more than {oneLine(needed.join(' '), 200)}</legend>
          {more.map((scope) => (
            <label key={scope} class="choice">
              <input type="checkbox" checked={wished.includes(scope)} onChange={(event) => setWished(event.currentTarget.checked ? [...wished, scope] : wished.filter((one) => one !== scope))} />
              {oneLine(scope, 100)}
              {scopeWords.has(scope) && `: ${scopeWords.get(scope)}`}
            </label>
          ))}
        </fieldset>
      )}
      <p class="row">
        <button type="submit" disabled={busy}>
          {busy ? 'Waiting for the provider…' : 'Sign in with the provider'}
        </button>
        {busy && (
          <button type="button" onClick={() => leaving.current.abort()}>
            Stop waiting
          </button>
        )}
      </p>
    </form>
  );
}
