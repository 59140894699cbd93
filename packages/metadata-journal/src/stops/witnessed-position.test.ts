import { expect, test } from 'vitest';
import { JOURNAL_START, positionAfter } from '../position.ts';
import { formatWitnessed, parseWitnessed } from './witnessed-position.ts';

test('a witnessed position survives formatting and parsing', () => {
  const position = { history: 2, ...positionAfter(JOURNAL_START, Buffer.from('entry')) };
  expect(parseWitnessed(formatWitnessed(position))).toEqual(position);
});

test.each(['', '1', '1-00', '0.1-zz', `0.1-${'0'.repeat(63)}`, `0.1.2-${'0'.repeat(64)}`, `-1.1-${'0'.repeat(64)}`])(
  'invalid text is not parsed as a position: %s',
  (text) => {
    expect(parseWitnessed(text)).toBeUndefined();
  },
);
