// SPDX-License-Identifier: Apache-2.0
// What is missing in the figures is said.
import { expect, it } from 'vitest';
import { missingWords, replicasOf } from '../src/data/replicas';

it('a server that is alone has no replicas', () => {
  expect(replicasOf({ totals: {} })).toBeUndefined();
  expect(replicasOf({ replicas: 3 })).toBeUndefined();
});

it('all replicas are in the figures', () => {
  const replicas = replicasOf({ replicas: { asked: 3, answered: 3, missing: [] } });
  expect(replicas).toEqual({ asked: 3, missing: [], problem: '' });
  expect(missingWords(replicas!)).toBe('');
});

it('those that are missing are named', () => {
  const replicas = replicasOf({ replicas: { asked: 3, answered: 2, missing: ['0123456789abcdef', 4] } });
  expect(missingWords(replicas!)).toBe('The figures of 1 of 3 replicas are missing: 0123456789abcdef.');
});

it('when nobody knows who is there, that is said', () => {
  const replicas = replicasOf({ replicas: { asked: 1, answered: 1, missing: [], problem: 'the shared state is away' } });
  expect(missingWords(replicas!)).toBe('It is not known which replicas there are: the shared state is away.');
});
