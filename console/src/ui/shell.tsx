// SPDX-License-Identifier: Apache-2.0
// The frame of every view: navigation, connection state, colours, and the signed-in visitor.

import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { listTool } from '../data/proposals';
import { announcement, live, retryNow, serverName } from '../data/server';
import { askToSignIn, signedIn, signInWanted, signOut } from '../data/session';
import { toolNames } from '../data/tools';
import { oneLine } from '../text/visible';
import { useNow } from './hooks';
import { Notice } from './parts';
import { link, route } from './router';
import { SignIn } from './sign_in';
import { appearance, choose, type Appearance } from './theme';

// A view with a third member is listed only if the server offers the visitor that tool.
const views: readonly (readonly [id: string, label: string, tool?: string])[] = [
  ['overview', 'Overview'],
  ['skills', 'Skills'],
  ['search', 'Search'],
  ['usage', 'Usage'],
  ['sources', 'Sources'],
  ['reviews', 'Reviews'],
  ['proposals', 'Proposals', listTool],
  ['try', 'Try'],
];
// The view that the navigation marks while the page of one object is shown.
const listOfView: Record<string, string> = { skill: 'skills', review: 'reviews', proposal: 'proposals' };

export function Shell(props: { children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const { view, rest } = route.value;
  const first = useRef(true);
  // Scroll a new view to its top, and let a screen reader read its heading.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const heading = main.current?.querySelector<HTMLElement>('h1');
    (heading ?? main.current)?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [view, rest]);
  // On a narrow screen the navigation is a row that scrolls, so the current view has to be scrolled into sight.
  useEffect(() => {
    document.querySelector('.views [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [view]);
  const current = listOfView[view] ?? view;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={link('overview')}>
          {oneLine(serverName.value?.name ?? 'skillhost', 40)} <span class="version">{oneLine(serverName.value?.version ?? '', 30)}</span>
        </a>
        <Connection />
        <Colours />
        {signedIn.value ? (
          <button type="button" class="small" onClick={signOut}>
            Sign out
          </button>
        ) : (
          <button type="button" class="small" onClick={askToSignIn}>
            Sign in
          </button>
        )}
      </header>
      <nav class="views" aria-label="Views">
        <ul>
          {views.filter(([, , tool]) => tool === undefined || toolNames.value.has(tool)).map(([id, label]) => (
            <li key={id}>
              <a href={link(id)} aria-current={current === id ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        <Away />
        {props.children}
      </main>
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
      <SignIn />
    </>
  );
}

function Connection() {
  const state = live.value;
  const words = { connecting: 'Connecting', live: 'Live', waiting: 'No connection', 'signed-out': 'Signed out', unsupported: 'Not live' }[state.kind];
  return (
    <span class={`connection ${state.kind}`} title={state.kind === 'live' ? 'Changes show by themselves.' : undefined}>
      <span class="dot" aria-hidden="true" />
      {words}
    </span>
  );
}

// Says that the server is unreachable, and when the page tries again.
function Away() {
  const now = useNow(1000);
  const state = live.value;
  if (state.kind !== 'waiting' || signInWanted.value) return null;
  const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  return (
    <Notice tone="warning">
      <span role="status">
        {state.failure === undefined || state.failure.kind === 'unreachable' ? 'The server does not answer.' : `The server does not say what changes: ${oneLine(state.failure.message, 300)}.`} What you see may be old.
      </span>{' '}
      <span aria-hidden="true">Next try in {seconds} s.</span>{' '}
      <button type="button" class="small" onClick={retryNow}>
        Try now
      </button>
    </Notice>
  );
}

function Colours() {
  return (
    <label class="colours">
      <span class="visually-hidden">Colours</span>
      <select value={appearance.value} onChange={(event) => choose(event.currentTarget.value as Appearance)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

export function Heading(props: { title: string; children?: ComponentChildren; full?: string }) {
  const title = oneLine(props.title, 120);
  useEffect(() => {
    document.title = `${title} – skillhost`;
  }, [title]);
  return (
    <div class="heading">
      <h1 tabIndex={-1} title={props.full}>
        {title}
      </h1>
      {props.children}
    </div>
  );
}
