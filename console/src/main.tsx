// SPDX-License-Identifier: Apache-2.0
// Starts the page. It handles a provider's answer first, then it shows the views.

import { signal } from '@preact/signals';
import { render } from 'preact';
import { connect, discover } from './data/server';
import { followTools } from './data/tools';
import { askToSignIn, recall } from './data/session';
import { Overview } from './pages/overview';
import { Proposal, Proposals } from './pages/proposals';
import { Review, Reviews } from './pages/reviews';
import { Search } from './pages/search';
import { Skill } from './pages/skill';
import { Skills } from './pages/skills';
import { Sources } from './pages/sources';
import { Try } from './pages/try';
import { Usage } from './pages/usage';
import { comeBack } from './signin/flow';
import './style/console.css';
import { oneLine } from './text/visible';
import { Loading, Notice } from './ui/parts';
import { followAddress, link, route } from './ui/router';
import { Heading, Shell } from './ui/shell';
import { returnProblem } from './ui/sign_in';

// Becomes true when the first request is answered. Until then the page sends no other request, so that a server which
// requires a token refuses one request instead of ten.
const answered = signal(false);

function View() {
  const { view, rest } = route.value;
  if (!answered.value) return <Loading what="the server" />;
  switch (view) {
    case 'overview':
      return <Overview />;
    case 'skills':
      return <Skills />;
    case 'skill':
      return <Skill key={rest} />;
    case 'search':
      return <Search />;
    case 'usage':
      return <Usage />;
    case 'sources':
      return <Sources />;
    case 'reviews':
      return <Reviews />;
    case 'review':
      return <Review key={rest} />;
    case 'proposals':
      return <Proposals />;
    case 'proposal':
      return <Proposal key={rest} />;
    case 'try':
      return <Try />;
    default:
      return (
        <>
          <Heading title="No such view" />
          <Notice>
            There is no view “{view}”. <a href={link('overview')}>Overview</a>
          </Notice>
        </>
      );
  }
}

async function start(): Promise<void> {
  const place = document.getElementById('console');
  if (!place) throw new Error('The page has no element "console".');
  const returned = await comeBack();
  if (returned.kind === 'other-window') {
    const { problem } = returned;
    render(<p class="alone">{problem === '' ? 'You are signed in, and may close this window.' : `You are not signed in. ${oneLine(problem, 600)} You may close this window.`}</p>, place);
    return;
  }
  if (returned.kind !== 'signed-in') recall();
  followAddress();
  void discover()
    .catch(() => undefined) // each view reports its own failures
    .then(() => {
      answered.value = true;
      connect();
      followTools();
    });
  render(
    <Shell>
      <View />
    </Shell>,
    place,
  );
  if (returned.kind === 'failed') {
    returnProblem.message = returned.message;
    askToSignIn();
  }
}

void start();
