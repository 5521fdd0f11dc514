// SPDX-License-Identifier: Apache-2.0
// Reads proposals of skills and their files. Strangers wrote both.

import { Failure } from '../mcp/failure';
import { isObject, type JsonObject } from '../mcp/messages';
import { listOf, numberIn, textOf } from './joined';
import { executableOf, partIn, type ReadPart, type ReviewedFile } from './review';
import { callTool } from './server';

export const listTool = 'list_proposals';
export const showTool = 'show_proposal';
export const decideTool = 'review_proposal';

const maxPages = 50;

// Returns the proposals that the visitor may see, the newest first. An empty `state` means all.
export async function readProposals(state: string, signal: AbortSignal, call: typeof callTool = callTool): Promise<JsonObject[]> {
  const args: JsonObject = state === '' ? {} : { state };
  const { data } = await call(listTool, args, { signal });
  const all = listOf(data, 'proposals');
  for (let page = 1; page < maxPages && all.length < (numberIn(data, 'total') ?? 0); page += 1) {
    const next = listOf((await call(listTool, { ...args, offset: all.length }, { signal })).data, 'proposals');
    if (next.length === 0) break;
    all.push(...next);
  }
  return all;
}

export interface ShownProposal {
  proposal: JsonObject;
  digest: string; // of the proposed files
  base: string | undefined; // digest of the skill that they are compared with; '' if there is none
  isChange: boolean;
  isOutdated: boolean;
  files: ReviewedFile[];
}

export async function readProposal(id: string, signal: AbortSignal): Promise<ShownProposal> {
  return proposalIn((await callTool(showTool, { id }, { signal })).data);
}

export function proposalIn(data: JsonObject): ShownProposal {
  const proposal = isObject(data['proposal']) ? data['proposal'] : {};
  return {
    proposal,
    digest: textOf(proposal, 'digest'),
    base: baseOf(data),
    isChange: data['change'] === true,
    isOutdated: data['outdated'] === true,
    files: listOf(data, 'files').map(fileOf),
  };
}

function baseOf(data: JsonObject): string | undefined {
  return typeof data['base'] === 'string' ? data['base'] : undefined;
}

function fileOf(file: JsonObject): ReviewedFile {
  return {
    path: textOf(file, 'path'),
    change: textOf(file, 'change'),
    text: textOf(file, 'text'),
    next: numberIn(file, 'next_offset'),
    left: numberIn(file, 'rest'),
    executable: executableOf(file['executable']),
    remark: textOf(file, 'remark'),
    isShown: file['shown'] === true,
  };
}

export function partsOfProposal(id: string, shown: { digest: string; base: string | undefined }, call: typeof callTool = callTool): ReadPart {
  return async (path, offset, signal) => {
    const { data } = await call(showTool, { id, path, text_offset: offset }, { signal });
    const now = proposalIn(data);
    if (now.digest !== shown.digest || now.base !== shown.base) throw new Failure('tool', 'The proposal, or the skill that it changes, has changed while it was read.', { code: 'CONFLICT' });
    return partIn(data, path, now.files.find((file) => file.path === path)?.next);
  };
}

// Returns the arguments of a decision. It names what the reviewer has seen, so that it does not apply to anything else.
export function decisionOn(id: string, shown: ShownProposal, decision: 'approve' | 'reject', reason: string): JsonObject {
  return {
    id,
    decision,
    digest: shown.digest,
    ...(reason === '' ? {} : { reason }),
    ...(decision === 'approve' && shown.base !== undefined ? { base: shown.base } : {}),
    ...(decision === 'approve' && shown.isOutdated ? { even_if_changed: true } : {}),
  };
}
