// SPDX-License-Identifier: Apache-2.0
// Turns HTML from untrusted Markdown into elements that run nothing and fetch nothing. DOMPurify keeps only what the
// two lists below name, and then the links are checked again.

import DOMPurify from 'dompurify';
import { reveal } from './visible';

const allowedTags = [
  'a', 'b', 'blockquote', 'br', 'caption', 'code', 'dd', 'del', 'details', 'dfn', 'dl', 'dt', 'em', 'h1', 'h2', 'h3',
  'h4', 'h5', 'h6', 'hr', 'i', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small', 'span',
  'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'u', 'ul', 'var',
];
const allowedAttributes = ['href', 'title', 'colspan', 'rowspan', 'start', 'align', 'open', 'abbr', 'scope'];

// A link leads to a view of this page, to another site, or nowhere.
export type LinkTarget = { kind: 'inside'; href: string } | { kind: 'outside'; href: string } | { kind: 'none' };

// `inside` resolves a relative or skill:// link to a view of the page, or returns undefined.
export function safeContent(html: string, inside: (link: string) => string | undefined, firstLevel = 3): DocumentFragment {
  const content = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOW_UNKNOWN_PROTOCOLS: false,
    // linkTarget decides which links stay. This pattern only removes links that could run code.
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|skill:|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/i,
    RETURN_DOM_FRAGMENT: true,
  });
  revealIn(content);
  for (const link of content.querySelectorAll('a')) settleLink(link, inside);
  orderHeadings(content, firstLevel);
  for (const table of content.querySelectorAll('table')) wrap(table);
  for (const pre of content.querySelectorAll('pre')) pre.tabIndex = 0; // lets keyboard users scroll wide code
  return content;
}

export function linkTarget(link: string, inside: (link: string) => string | undefined): LinkTarget {
  // Browsers drop tabs and line feeds within a URL and blanks before it, so "java\nscript:" is a scheme.
  const plain = link.replace(/[\u0000-\u0020\u007f-\u00a0]+/g, (blank) => (/^[ ]+$/.test(blank) ? '%20' : '')).replace(/^(%20)+/, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(plain)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https' || scheme === 'mailto') return { kind: 'outside', href: plain };
  if (scheme !== undefined && scheme !== 'skill') return { kind: 'none' };
  if (plain.startsWith('//') || plain.startsWith('\\') || plain.startsWith('/\\')) return { kind: 'none' };
  const href = inside(plain);
  return href === undefined ? { kind: 'none' } : { kind: 'inside', href };
}

// Parsing HTML turns entities into characters, so hidden characters have to be revealed again afterwards.
function revealIn(content: DocumentFragment): void {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.nodeValue = reveal(texts.currentNode.nodeValue ?? '');
  for (const element of content.querySelectorAll('[title], [abbr]'))
    for (const name of ['title', 'abbr']) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, reveal(value));
    }
}

function settleLink(link: HTMLAnchorElement, inside: (link: string) => string | undefined): void {
  const target = linkTarget(link.getAttribute('href') ?? '', inside);
  if (target.kind === 'none') return link.replaceWith(...link.childNodes);
  link.setAttribute('href', target.href);
  if (target.kind === 'inside') return;
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer');
}

// Moves the headings of the text below those of the page, and skips no level.
function orderHeadings(content: DocumentFragment, firstLevel: number): void {
  let before = firstLevel - 1;
  for (const heading of content.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const wanted = Number(heading.tagName.slice(1)) + firstLevel - 1;
    const level = Math.min(6, wanted, before + 1);
    before = level;
    const replacement = document.createElement(`h${level}`);
    replacement.append(...heading.childNodes);
    heading.replaceWith(replacement);
  }
}

function wrap(table: HTMLTableElement): void {
  const frame = document.createElement('div');
  frame.className = 'wide';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', 'Table');
  table.replaceWith(frame);
  frame.append(table);
}

// SKILL.md begins with front matter between two lines of "---".
export function splitFrontMatter(text: string): { frontMatter: string; body: string } {
  const start = /^\ufeff?---[ \t]*\r?\n/.exec(text);
  if (!start) return { frontMatter: '', body: text };
  const end = /^---[ \t]*(?:\r?\n|$)/m.exec(text.slice(start[0].length));
  if (!end) return { frontMatter: '', body: text };
  const from = start[0].length;
  return { frontMatter: text.slice(from, from + end.index), body: text.slice(from + end.index + end[0].length) };
}
