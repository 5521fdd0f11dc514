// SPDX-License-Identifier: Apache-2.0
// Markdown to HTML, which is not safe yet: see markdown.ts. Images become words, because they would be fetched.
// What an agent reads and a rendered page has not is a place to hide something from a reader, and is shown as it is
// written: HTML with its comments (only what marks up text and has no attributes is taken as HTML), definitions of links,
// what stands behind the language of a block of code, and cells that a table has no column for.

import { Marked, Tokenizer } from 'marked';

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    image: ({ text, href, title }) => `<span>[Image${text ? `: ${escapeHtml(text)}` : ''} – ${escapeHtml(href)}${title ? ` – ${escapeHtml(title)}` : ''}]</span>`,
    def: ({ raw }) => `<pre>${escapeHtml(raw.trimEnd())}</pre>`,
    code: ({ text, lang }) => `${/\s/.test(lang?.trim() ?? '') ? `<pre>${escapeHtml(lang ?? '')}</pre>` : ''}<pre><code>${escapeHtml(text)}\n</code></pre>`,
    // False: as the library renders it.
    table: ({ raw, header }) => raw.split('\n').some((row) => cellsOf(row) > header.length) && `<pre>${escapeHtml(raw)}</pre>`,
    html: ({ text, block }) => (isPlain(text) ? text : block ? `<pre>${escapeHtml(text)}</pre>` : `<code>${escapeHtml(text)}</code>`),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
  tokenizer: {
    // Of two definitions with one name the library drops the second, as a link does. With a name of its own it stays.
    def(source) {
      const found = Tokenizer.prototype.def.call(this, source);
      if (found) for (const tag = found.tag; this.lexer.tokens.links[found.tag]; ) found.tag = `${tag}\u0000${Object.keys(this.lexer.tokens.links).length}`;
      return found;
    },
  },
});

function cellsOf(row: string): number {
  const inner = row.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).length;
}

export function markdownToHtml(text: string): string {
  try {
    return marked.parse(text) as string;
  } catch {
    // What is nested too deeply for the parser is shown as it is written.
    return `<pre>${escapeHtml(text)}</pre>`;
  }
}

const plainTag = /<\/?(?:b|br|code|del|details|em|i|ins|kbd|mark|p|s|small|strong|sub|summary|sup|u)\s*\/?>/gi;

function isPlain(html: string): boolean {
  return !/[<>]/.test(html.replace(plainTag, ''));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
