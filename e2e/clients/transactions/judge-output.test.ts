import { expect, test } from 'vitest';
import { type Evidence, judgeCounts, judgeOutput, type OutputRecord } from './judge-output.ts';

const record = (offset: number, value: string): OutputRecord => ({ partition: 0, offset, value });
const good: Evidence = {
  inputEnds: [2, 1],
  committed: [2, 1],
  outputs: { kcat: [record(0, '0/0'), record(1, '1/0'), record(3, '0/1')] },
  followed: [record(0, '0/0'), record(0, '0/0')],
};
const of = (...records: OutputRecord[]): Evidence => ({ ...good, outputs: { kcat: records }, followed: [] });

test('output that holds every input record once passes', () => {
  expect(judgeOutput(good)).toEqual([]);
});

test.each([
  ['lost', of(record(0, '0/0'), record(1, '1/0'))],
  ['doubled', of(record(0, '0/0'), record(1, '1/0'), record(3, '0/1'), record(4, '0/1'))],
  ['of no input', of(record(0, '0/0'), record(1, '1/0'), record(3, '0/1'), record(4, '9/9'))],
  ['before', { ...good, followed: [record(2, '0/1')] }],
  ['committed offset', { ...good, committed: [2, 0] }],
])('a broken promise is named: %s', (what, evidence) => {
  const wrong = judgeOutput(evidence);
  expect(wrong).toHaveLength(1);
  expect(wrong[0]).toContain(what);
});

test('a count that is off by one is named', () => {
  const counts = new Map([
    ['a', 2],
    ['b', 1],
  ]);
  expect(judgeCounts(counts, counts)).toEqual([]);
  expect(judgeCounts(counts, new Map([['a', 3]]))).toEqual(['2 keys counted wrong: a: 3 of 2, b: undefined of 1']);
});
