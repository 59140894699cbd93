import { expect, it } from 'vitest';
import { continued, type Draft, toQuestion } from './question.ts';

const DRAFT: Draft = { partition: 2, position: 'latest', offset: '', time: '', limit: 50, key: '', keyForm: 'text' };

function asked(change: Partial<Draft>) {
  return toQuestion('orders', { ...DRAFT, ...change });
}

it('asks for each position', () => {
  const common = { topic: 'orders', partition: 2, limit: 50 };
  expect(asked({})).toEqual({ question: { ...common, from: { at: 'latest', records: 50 } } });
  expect(asked({ position: 'earliest' })).toEqual({ question: { ...common, from: { at: 'earliest' } } });
  expect(asked({ position: 'offset', offset: ' 12 ' })).toEqual({
    question: { ...common, from: { at: 'offset', offset: 12 } },
  });
  const timestampMs = new Date('2026-11-21T10:00').getTime();
  expect(asked({ position: 'time', time: '2026-11-21T10:00' })).toEqual({
    question: { ...common, from: { at: 'time', timestampMs } },
  });
});

it('searches the end of a partition further back when it looks for a key, which may be text or hex', () => {
  const from = { at: 'latest', records: 10_000 };
  expect(asked({ key: 'ü' })).toMatchObject({ question: { from, keyBase64: 'w7w=' } });
  expect(asked({ key: '0x00 FF', keyForm: 'hex' })).toMatchObject({ question: { keyBase64: 'AP8=' } });
});

it('says at the field what is wrong', () => {
  expect(asked({ position: 'offset', offset: '-1' })).toMatchObject({ faults: { offset: expect.any(String) } });
  expect(asked({ position: 'offset', offset: '9007199254740993' })).toHaveProperty('faults.offset');
  expect(asked({ position: 'time', time: '' })).toHaveProperty('faults.time');
  expect(asked({ key: 'abc', keyForm: 'hex' })).toHaveProperty('faults.key');
});

it('goes on where an answer ended', () => {
  const before = asked({ key: 'a' });
  if (!('question' in before)) throw new Error('a good question');
  expect(continued(before.question, 7)).toEqual({ ...before.question, from: { at: 'offset', offset: 7 } });
});
