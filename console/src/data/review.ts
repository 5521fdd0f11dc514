// SPDX-License-Identifier: Apache-2.0
// Collects everything that a reviewer has to look at. An answer holds only a part of a long text, so the page asks for
// the rest file by file. It lists separately what no answer can hold (a binary file, a text that is
// too long to compare), so that nobody approves content that the page has not shown.

import { isObject, type Json, type JsonObject } from '../mcp/messages';
import { Failure } from '../mcp/failure';
import { parseUnified, type Hunk } from '../text/difference';
import { listOf, textOf } from './joined';
import { callTool, client } from './server';

export const reviewTool = 'review_skill';

export interface ReviewedFile {
  path: string;
  change: string; // 'new', 'changed' or 'gone'
  text: string; // the part of the text that the page has
  next: number | undefined; // byte offset of the rest within the text; undefined if the text is complete
  left: number | undefined; // bytes of the rest, if the server has said so
  executable: boolean | undefined; // undefined if it has not changed, or if the server does not say it
  remark?: string; // words of the server about the file, if the answer has them beside the text
  isShown?: boolean; // whether the text is all of the file, if the answer says so
}

// The server ends a cut text with this line. Lines of the file cannot look like it, because they begin with a sign.
const cutMark = /\n… \((\d+) bytes more: show with path and text_offset (\d+)\)\n$/;

export function filesOf(data: JsonObject): ReviewedFile[] {
  const files = listOf(data, 'files').map(fileOf);
  // The message says that something is missing, but not in which file. Therefore the page reads each file from its
  // start.
  if (textOf(data, 'message') !== '' && !isCut(data)) for (const file of files) Object.assign(file, { text: '', next: 0 });
  return files;
}

// Returns true if the answer marks a text that the server has cut.
export function isCut(data: JsonObject): boolean {
  return listOf(data, 'files').some((file) => cutMark.test(textOf(file, 'text')));
}

function fileOf(file: JsonObject): ReviewedFile {
  const text = textOf(file, 'text');
  const mark = cutMark.exec(text);
  return {
    path: textOf(file, 'path'),
    change: textOf(file, 'change'),
    text: mark ? text.slice(0, mark.index) : text,
    next: mark ? Number(mark[2]) : undefined,
    left: mark ? Number(mark[1]) : undefined,
    executable: executableOf(file['executable']) ?? executableIn(text),
  };
}

// The server sends true or false for a new file, and "from" and "to" for a file whose executable bit has changed.
export function executableOf(said: unknown): boolean | undefined {
  if (typeof said === 'boolean') return said ? true : undefined;
  if (!isObject(said) || typeof said['to'] !== 'boolean') return undefined;
  return said['to'];
}

function executableIn(text: string): boolean | undefined {
  if (/^it has become executable$/m.test(beforeHunks(text))) return true;
  return /^it is no longer executable$/m.test(beforeHunks(text)) ? false : undefined;
}

function beforeHunks(text: string): string {
  const first = text.search(/^@@ /m);
  return first < 0 ? text : text.slice(0, first);
}

export function hunksOf(file: ReviewedFile): Hunk[] {
  return parseUnified(file.text);
}

// Returns why a file cannot be shown, in the server's words, although all that the server gives of it is here. Returns
// undefined if the file can be shown, is gone, or is not read to its end yet.
export function notShown(file: ReviewedFile, hunks: Hunk[] = hunksOf(file)): string | undefined {
  if (file.next !== undefined || file.change === 'gone' || file.isShown === true) return undefined;
  if (file.isShown === false) return file.remark || 'the server does not show it';
  const said = hunks.length > 0 ? hunks.flatMap((hunk) => hunk.lines.filter((line) => line.kind === 'note' && line.text.startsWith('…')).map((line) => line.text)) : file.text.split('\n');
  const words = said.filter((line) => line !== '' && !/^it (?:has become|is no longer) executable$/.test(line));
  return words.length > 0 ? words.join(' ') : undefined;
}

// A part of a text, and where the rest begins; undefined if there is no rest.
export interface Part {
  text: string;
  next: number | undefined;
}
// Reads the part of a file that begins at an offset. Rejects if what it belongs to has changed meanwhile, because parts
// of two versions do not make one text.
export type ReadPart = (path: string, offset: number, signal: AbortSignal) => Promise<Part>;

export function partsOfReview(id: string, digest: string, call: typeof callTool = callTool): ReadPart {
  return async (path, offset, signal) => {
    const { data } = await call(reviewTool, { action: 'show', skill_name: id, path, text_offset: offset }, { signal });
    const review = isObject(data['review']) ? data['review'] : undefined;
    if (textOf(review, 'digest') !== digest) throw new Failure('tool', 'The skill has changed while it was read.', { code: 'CONFLICT' });
    return partIn(data, path, data['next_offset']);
  };
}

// Returns the part of a file in an answer. `next` is what the server says of the rest.
export function partIn(data: JsonObject, path: string, next: Json | undefined): Part {
  const found = listOf(data, 'files').find((one) => textOf(one, 'path') === path);
  if (!found) throw new Failure('refused', `The server no longer shows ${path}.`);
  if (next !== undefined && typeof next !== 'number') throw new Failure('refused', `The server does not go on with ${path}.`);
  return { text: textOf(found, 'text'), next };
}

async function withNextPart(read: ReadPart, file: ReviewedFile, signal: AbortSignal): Promise<ReviewedFile> {
  const offset = file.next ?? 0;
  const { text, next } = await read(file.path, offset, signal);
  if (next !== undefined && next <= offset) throw new Failure('refused', `The server does not go on with ${file.path}.`);
  return { ...file, text: file.text + text, next, left: next === undefined || file.left === undefined ? undefined : Math.max(file.left - (next - offset), 0) };
}

// Reads file after file until all are complete, or until `most` more characters have arrived. Calls `told` after each
// part.
export async function readRest(read: ReadPart, files: ReviewedFile[], most: number, told: (files: ReviewedFile[]) => void, signal: AbortSignal): Promise<void> {
  let now = files;
  let room = most;
  for (let at = 0; at < files.length; at += 1)
    for (let file = now[at]; file !== undefined && file.next !== undefined && room > 0; file = now[at]) {
      const longer = await withNextPart(read, file, signal);
      room -= longer.text.length - file.text.length;
      now = now.map((one, place) => (place === at ? longer : one));
      if (signal.aborted) return;
      told(now);
    }
}

// Returns true if the server accepts `seen`, the decision that the reviewer has looked at, with a new decision.
export async function takesSeen(signal?: AbortSignal): Promise<boolean> {
  const tools = await client.all<JsonObject>('tools/list', 'tools', signal ? { signal } : {});
  const schema = tools.find((tool) => tool['name'] === reviewTool)?.['inputSchema'];
  return isObject(schema) && isObject(schema['properties']) && isObject(schema['properties']['seen']);
}

// Returns the id of the decision to be replaced: '' if there is none, undefined if the server gives decisions no ids.
export function seenOf(review: JsonObject): string | undefined {
  const decision = review['decision'];
  if (!isObject(decision)) return '';
  return typeof decision['id'] === 'string' ? decision['id'] : undefined;
}
