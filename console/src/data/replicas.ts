// SPDX-License-Identifier: Apache-2.0
// Whose figures an answer has, when several servers share a service.

import type { JsonObject } from '../mcp/messages';
import { numberIn, textOf } from './joined';

export interface Replicas {
  asked: number;
  missing: string[];
  problem: string; // why it is not known who is there; empty: it is
}

// Undefined when the server is alone.
export function replicasOf(data: JsonObject): Replicas | undefined {
  const told = data['replicas'];
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return undefined;
  const names = told['missing'];
  const missing = Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  return { asked: numberIn(told, 'asked') ?? 1 + missing.length, missing, problem: textOf(told, 'problem') };
}

// In one sentence what is missing; empty: nothing is.
export function missingWords(replicas: Replicas): string {
  const { asked, missing, problem } = replicas;
  const part = missing.length === 0 ? '' : `The figures of ${missing.length} of ${asked} replicas are missing: ${missing.join(', ')}.`;
  const reason = problem === '' ? '' : `It is not known which replicas there are: ${problem}.`;
  return [part, reason].filter((words) => words !== '').join(' ');
}
