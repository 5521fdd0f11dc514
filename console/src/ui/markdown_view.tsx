// SPDX-License-Identifier: Apache-2.0
// Shows the rendered Markdown of a skill. The sanitizer returns a fragment of elements; nothing here sets innerHTML.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../text/format';
import { safeContent } from '../text/markdown';
import { htmlInTime, maxMarkdownLength } from '../text/markdown_in_time';
import { block, countHidden, cut } from '../text/visible';
import { Loading, Notice } from './parts';
import { HiddenNotice, TextView } from './text_view';

interface Rendered {
  of: string;
  content: DocumentFragment | undefined;
  problem: string;
}

export function MarkdownView(props: { text: string; label: string; inside: (link: string) => string | undefined }) {
  const { text, label, inside } = props;
  const [asText, setAsText] = useState(false);
  const [rendered, setRendered] = useState<Rendered>();
  const place = useRef<HTMLDivElement>(null);
  const hidden = useMemo(() => countHidden(cut(text, 2_000_000)), [text]);
  const omitted = Math.max(text.length - maxMarkdownLength, 0);
  const current = rendered?.of === text ? rendered : undefined;
  // An entity such as &#x202e; hides no character in the written text, but does in the rendered text.
  const revealed = useMemo(() => Math.max(hidden, current?.content?.textContent?.match(/⟨U\+[0-9A-F]{4,6}⟩/g)?.length ?? 0), [hidden, current]);
  useEffect(() => {
    const leaving = new AbortController();
    const say = (next: Rendered): void => {
      if (!leaving.signal.aborted) setRendered(next);
    };
    htmlInTime(block(text, maxMarkdownLength).text, leaving.signal).then(
      (html) => say({ of: text, content: safeContent(html, inside), problem: '' }),
      (reason: unknown) => say({ of: text, content: undefined, problem: reason instanceof Error ? reason.message : String(reason) }),
    );
    return () => leaving.abort();
  }, [text, inside]);
  useLayoutEffect(() => {
    if (current?.content) place.current?.replaceChildren(current.content.cloneNode(true));
  }, [current, asText]);
  const written = asText || (current !== undefined && current.content === undefined);
  return (
    <div>
      <div class="row end">
        <button type="button" class="small" aria-pressed={asText} onClick={() => setAsText(!asText)}>
          Show as written
        </button>
      </div>
      {current !== undefined && current.problem !== '' && (
        <Notice tone="warning">This text is shown as it is written, because it could not be rendered: {current.problem}.</Notice>
      )}
      {written ? (
        <TextView text={text} label={label} />
      ) : (
        <>
          {revealed > 0 && <HiddenNotice hidden={revealed} />}
          {omitted > 0 && (
            <Notice tone="warning">
              Only the start is rendered: {count(omitted)} of {count(text.length)} characters are left out. “Show as written” has them all.
            </Notice>
          )}
          {!current && <Loading what="the text" />}
          <div ref={place} class="markdown" />
        </>
      )}
    </div>
  );
}
