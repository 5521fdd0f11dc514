// SPDX-License-Identifier: Apache-2.0
// Converts Markdown to HTML that is not safe yet; markdown.ts makes it safe. Images become words, because the browser
// would fetch them. Parts that an agent reads but a rendered page does not show could hide something from a reader, so
// they are shown as written. These are HTML and its comments (except markup without attributes), definitions of links,
// text after the language of a code block, and cells beyond the columns of a table.

import { Marked, Tokenizer } from 'marked';

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    image: ({ text, href, title }) => `<span>[Image${text ? `: ${escapeHtml(text)}` : ''} – ${escapeHtml(href)}${title ? ` – ${escapeHtml(title)}` : ''}]</span>`,
    def: ({ raw }) => `<pre>${escapeHtml(raw.trimEnd())}</pre>`,
    code: ({ text, lang }) => `${/\s/.test(lang?.trim() ?? '') ? `<pre>${escapeHtml(lang ?? '')}</pre>` : ''}<pre><code>${escapeHtml(text)}\n</code></pre>`,
    // False lets the library render the table.
    table: ({ raw, header }) => raw.split('\n').some((row) => cellsOf(row) > header.length) && `<pre>${escapeHtml(raw)}</pre>`,
    html: ({ text, block }) => (isPlain(text) ? text : block ? `<pre>${escapeHtml(text)}</pre>` : `<code>${escapeHtml(text)}</code>`),
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
  tokenizer: {
    // If two definitions have the same name, the library drops the second. A unique name keeps it.
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
    // The parser fails on deeply nested text, so the text is shown as written.
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
