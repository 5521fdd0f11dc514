// SPDX-License-Identifier: Apache-2.0
// Makes untrusted text safe to look at. Characters that are invisible or change the order of text are shown by their
// number.

// These characters are always shown by number: C0 and C1 controls except tab and line feed, soft hyphen, grapheme
// joiner, Arabic letter mark, Hangul fillers, Khmer inherent vowels, Mongolian vowel separator, zero-width space,
// direction marks, embeddings and overrides, word joiner, invisible operators, isolates, deprecated format characters,
// blank Braille pattern, byte order mark, interlinear annotations, and the tags that can hide ASCII. The zero-width
// joiners are not among them, because emoji and some scripts need them.
const alwaysHidden =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]';
// A variation selector belongs to the emoji, sign or Han character before it, and there may be only one. After a
// letter, a blank or another selector it shows nothing, and a sequence of them can hide any text.
const selectors =
  '(?<=^|[\\s\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])[\\ufe00-\\ufe0f]|(?<!\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]';
const hidden = new RegExp(`${alwaysHidden}|${selectors}`, 'gu');

export function showHidden(text: string): string {
  return reveal(text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n'));
}

// Reveals hidden characters like showHidden, but in a part of a text, where a byte order mark is never the start of a
// file.
export function reveal(text: string): string {
  return text.replace(hidden, (character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${number}⟩`;
  });
}

export function countHidden(text: string): number {
  return text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n').match(hidden)?.length ?? 0;
}

// Cuts a text, but never within a surrogate pair.
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

// Makes one line for a list, a heading or a cell. If the text is too long, the line says how long it is.
export function oneLine(text: string, limit = 200): string {
  const start = showHidden(cut(text, limit).replace(/\s+/g, ' ').trim());
  return text.length <= limit ? start : `${start}… (cut: ${text.length.toLocaleString('en')} characters)`;
}

// Cuts a text to as many characters as a page can lay out at once.
export function block(text: string, limit: number): { text: string; omitted: number } {
  const start = cut(text, limit);
  return { text: showHidden(start), omitted: text.length - start.length };
}
