// SPDX-License-Identifier: Apache-2.0
// Text of strangers made safe to look at: what cannot be seen, or turns the order of what can, is shown by its number.

// C0 and C1 controls but tab and line feed, soft hyphen, grapheme joiner, Arabic letter mark, Hangul fillers, Khmer
// inherent vowels, Mongolian vowel separator, zero-width space and direction marks (the joiners are part of emoji and of
// scripts, and stay), embeddings and overrides, word joiner, invisible operators, isolates, deprecated format characters,
// blank Braille pattern, byte order mark, interlinear annotations, and the tags that can hide ASCII.
const alwaysHidden =
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]';
// A variation selector belongs to the character before it: one, behind an emoji, a sign or a Han character. Where it
// stands behind a letter, a blank or another selector it shows nothing, and a row of them can hold any text.
const selectors =
  '(?<=^|[\\s\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])[\\ufe00-\\ufe0f]|(?<!\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]';
const hidden = new RegExp(`${alwaysHidden}|${selectors}`, 'gu');

export function showHidden(text: string): string {
  return reveal(text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n'));
}

// As showHidden, of a part of a text: a mark of the byte order is no first character of a file there.
export function reveal(text: string): string {
  return text.replace(hidden, (character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${number}⟩`;
  });
}

export function countHidden(text: string): number {
  return text.replace(/^\ufeff/, '').replace(/\r\n/g, '\n').match(hidden)?.length ?? 0;
}

// Never cuts a surrogate pair.
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

// One line for a list, a heading or a cell. Says how long the whole is when it does not fit.
export function oneLine(text: string, limit = 200): string {
  const start = showHidden(cut(text, limit).replace(/\s+/g, ' ').trim());
  return text.length <= limit ? start : `${start}… (cut: ${text.length.toLocaleString('en')} characters)`;
}

// For a block: as many characters as a page can lay out at once.
export function block(text: string, limit: number): { text: string; omitted: number } {
  const start = cut(text, limit);
  return { text: showHidden(start), omitted: text.length - start.length };
}
