import { expect, it } from 'vitest';
import { continued, type Draft, isAboutAllPartitions, toQuestions } from './question.ts';

const DRAFT: Draft = {
  partition: '2',
  position: 'latest',
  offset: '',
  time: '',
  limit: 50,
  key: '',
  keyForm: 'text',
  isKeyInAll: true,
};
/** Twelve partitions; only the first three hold records. */
const TOPIC = {
  name: 'orders',
  partitions: Array.from({ length: 12 }, (_, partition) => ({
    partition,
    logStartOffset: 3,
    highWatermark: partition < 3 ? 9 : 3,
  })),
};

function asked(change: Partial<Draft>) {
  return toQuestions(TOPIC, { ...DRAFT, ...change });
}

it('builds a query for each position', () => {
  const common = { topic: 'orders', partition: 2, limit: 50 };
  expect(asked({})).toEqual({ questions: [{ ...common, from: { at: 'latest', records: 50 } }] });
  expect(asked({ position: 'earliest' })).toEqual({ questions: [{ ...common, from: { at: 'earliest' } }] });
  expect(asked({ position: 'offset', offset: ' 12 ' })).toEqual({
    questions: [{ ...common, from: { at: 'offset', offset: 12 } }],
  });
  const timestampMs = new Date('2026-11-21T10:00').getTime();
  expect(asked({ position: 'time', time: '2026-11-21T10:00' })).toEqual({
    questions: [{ ...common, from: { at: 'time', timestampMs } }],
  });
});

it('searches backwards from the end for a text or hex key', () => {
  const from = { at: 'latest', records: 10_000 };
  expect(asked({ key: 'ü', isKeyInAll: false })).toMatchObject({ questions: [{ from, keyBase64: 'w7w=' }] });
  expect(asked({ key: '0x00 FF', keyForm: 'hex', isKeyInAll: false })).toMatchObject({
    questions: [{ keyBase64: 'AP8=' }],
  });
});

it('searches every non-empty partition for a key by default', () => {
  const partitions = (change: Partial<Draft>) => {
    const search = asked({ key: 'a', ...change });
    return 'questions' in search ? search.questions.map(({ partition }) => partition) : search.faults;
  };
  expect(partitions({})).toEqual([0, 1, 2]);
  // The partition field is ignored.
  expect(partitions({ partition: '99' })).toEqual([0, 1, 2]);
  expect(partitions({ isKeyInAll: false })).toEqual([2]);
  // An offset belongs to one partition.
  expect(partitions({ position: 'offset', offset: '4' })).toEqual([2]);
  expect(isAboutAllPartitions({ ...TOPIC, partitions: TOPIC.partitions.slice(0, 1) }, { ...DRAFT, key: 'a' })).toBe(
    false,
  );
});

it('reports the valid partitions instead of querying another one', () => {
  for (const partition of ['12', '99', '-1', '1.5', '', 'a']) {
    expect(asked({ partition }), partition).toEqual({ faults: { partition: 'This topic has partitions 0 to 11.' } });
  }
  expect(asked({ partition: ' 11 ' })).toMatchObject({ questions: [{ partition: 11 }] });
  const single = { ...TOPIC, partitions: TOPIC.partitions.slice(0, 1) };
  expect(toQuestions(single, DRAFT)).toEqual({ faults: { partition: 'This topic has only partition 0.' } });
});

it('reports errors at the field', () => {
  expect(asked({ position: 'offset', offset: '-1' })).toMatchObject({ faults: { offset: expect.any(String) } });
  expect(asked({ position: 'offset', offset: '9007199254740993' })).toHaveProperty('faults.offset');
  expect(asked({ position: 'time', time: '' })).toHaveProperty('faults.time');
  expect(asked({ key: 'abc', keyForm: 'hex' })).toHaveProperty('faults.key');
});

it('continues where a response ended', () => {
  const before = asked({ key: 'a' });
  const [question] = 'questions' in before ? before.questions : [];
  if (question === undefined) {
    throw new Error('a good question');
  }
  expect(continued(question, 7)).toEqual({ ...question, from: { at: 'offset', offset: 7 } });
});
