import { expect, test } from 'vitest';
import { openText, partitionsByTopic, rangesText, stateBadge } from './transaction-words';

test('an open transaction warns once half of its timeout is over', () => {
  const open = { state: 'Ongoing', startedAtMs: 1_000, timeoutMs: 60_000 };
  expect(stateBadge(open, 31_000)).toEqual({ tone: 'accent', label: 'Open' });
  expect(stateBadge(open, 31_001)).toEqual({ tone: 'warn', label: 'Open' });
  expect(stateBadge({ ...open, state: 'CompleteAbort', startedAtMs: null }, 99_000).label).toBe('Aborted');
});

test.each([
  [null, '–'],
  [5_000, '0 s'],
  [1_900, '3 s'],
  [9_000, '0 s'],
])('started at %s, it has been open for %s', (startedAtMs, text) => {
  expect(openText(startedAtMs, 5_000)).toBe(text);
});

test('neighbouring partitions are shortened to ranges', () => {
  expect(rangesText([7, 3, 0, 2, 1])).toBe('0–3, 7');
  expect(rangesText([0, 1])).toBe('0, 1');
  expect(rangesText([])).toBe('');
  const partitions = [
    { topic: 'a', partition: 0 },
    { topic: 'b', partition: 2 },
    { topic: 'a', partition: 2 },
  ];
  expect(partitionsByTopic(partitions)).toEqual([
    { topic: 'a', partitions: '0, 2' },
    { topic: 'b', partitions: '2' },
  ]);
});
