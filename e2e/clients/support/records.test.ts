// Tests that the check used by all end-to-end tests can fail.
import { expect, test } from 'vitest';
import { faultsOf, lostAcknowledgements, makeValues, RECORD_SIZE_BYTES, repeatedValues } from './records.ts';

const values = makeValues(4);
const [a = '', b = '', c = '', d = ''] = values;
const good = [
  { partition: 0, offset: 0, value: a },
  { partition: 1, offset: 0, value: b },
  { partition: 0, offset: 1, value: c },
  { partition: 1, offset: 1, value: d },
];

test('values have exactly the declared size and differ', () => {
  expect(values.map((value) => value.length)).toEqual([1, 1, 1, 1].map((one) => one * RECORD_SIZE_BYTES));
  expect(new Set(values.map((value) => value.slice(20))).size).toBe(4);
});

test('values that are sent again get the next numbers', () => {
  const again = repeatedValues(values, 6);
  expect(again.slice(0, 4)).toEqual(values);
  expect(again.slice(4)).toEqual([a.replace('0000000000', '0000000004'), b.replace('0000000001', '0000000005')]);
});

test('a complete consumption has no errors', () => {
  expect(faultsOf(good, values)).toEqual([]);
});

test.each([
  ['a missing record', good.slice(0, 3), /1 of 4 records are missing/],
  ['a repeated record', [...good, { partition: 1, offset: 2, value: d }], /more than once/],
  [
    'a changed byte',
    [...good.slice(0, 3), { partition: 1, offset: 1, value: `${d.slice(0, -1)}~` }],
    /not a value that was sent/,
  ],
  ['a gap in the offsets', good.with(3, { partition: 1, offset: 5, value: d }), /offset 5 follows 0/],
  [
    'records out of order',
    [good[0], { partition: 1, offset: 0, value: d }, good[2], { partition: 1, offset: 1, value: b }].flatMap(
      (r) => r ?? [],
    ),
    /record 1 after record 3/,
  ],
])('%s is found', (_what, consumed, fault) => {
  expect(faultsOf(consumed, values).join('\n')).toMatch(fault);
});

test('an acknowledged record at another offset is found', () => {
  const acknowledged = [
    { partition: 0, offset: 1, index: 2 },
    { partition: 1, offset: 1, index: 1 },
  ];
  expect(lostAcknowledgements(acknowledged, good)).toEqual([{ partition: 1, offset: 1, index: 1 }]);
});
