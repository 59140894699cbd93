import { expect, it } from 'vitest';
import type { Answer, BrowsedRecord } from './ask-agent.ts';
import { askInTurn, MOST_QUESTIONS } from './ask-in-turn.ts';
import type { Question } from './question.ts';

function question(partition: number): Question {
  return { topic: 'orders', partition, from: { at: 'earliest' }, limit: 3, keyBase64: 'YQ==' };
}

function answer(offsets: readonly number[], change: Partial<Answer> = {}): Answer {
  const record = { timestampMs: 0, key: null, value: null, headers: [], headersLeftOut: 0, compression: 'none' };
  const records: BrowsedRecord[] = offsets.map((offset) => ({ ...record, offset }));
  return {
    logStartOffset: 0,
    highWatermark: 9,
    records,
    scannedRecords: 10,
    unreadable: [],
    nextOffset: null,
    stopped: 'end',
    ...change,
  };
}

// Each request is only for the missing number.
it('queries partitions in order until it has enough records', async () => {
  const asked: [number, number][] = [];
  const round = await askInTurn([0, 1, 2].map(question), async ({ partition, limit }) => {
    asked.push([partition, limit]);
    return { answer: partition === 0 ? answer([4]) : answer([5, 6]), url: 'http://agent' };
  });
  expect(asked).toEqual([
    [0, 3],
    [1, 2],
  ]);
  expect(round.records.map(({ partition, offset }) => [partition, offset])).toEqual([
    [0, 4],
    [1, 5],
    [1, 6],
  ]);
  expect(round).toMatchObject({ scannedRecords: 20, url: 'http://agent', rest: [question(2)] });
});

// Where responses ended, with the original limit.
it('continues with unvisited partitions, then in the others', async () => {
  const round = await askInTurn([0, 1].map(question), async ({ partition }) => ({
    answer: answer([1, 2, 3], { nextOffset: 7 + partition, stopped: 'limit' }),
    url: '',
  }));
  expect(round.rest).toEqual([question(1), { ...question(0), from: { at: 'offset', offset: 7 } }]);
  expect(round.stopped).toBe('limit');
});

it('limits the partitions per round and returns the rest', async () => {
  const partitions = Array.from({ length: MOST_QUESTIONS + 2 }, (_, partition) => question(partition));
  const round = await askInTurn(partitions, async () => ({ answer: answer([]), url: '' }));
  expect(round.rest.map(({ partition }) => partition)).toEqual([MOST_QUESTIONS, MOST_QUESTIONS + 1]);
});

it('names the partition of a range that cannot be shown', async () => {
  const unreadable = [{ baseOffset: 1, lastOffset: 2, reason: 'encrypted' }];
  const round = await askInTurn([question(4)], async () => ({ answer: answer([], { unreadable }), url: '' }));
  expect(round.unreadable).toEqual([{ partition: 4, ...unreadable[0] }]);
});
