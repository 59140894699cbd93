import { expect, test } from 'vitest';
import { getClientSeriesInput } from './operations.ts';

const range = { clusterId: '01a20b31-0e57-7228-9253-c73f030f940a', fromMs: 1_795_000_000_000, toMs: 1_795_000_060_000 };

test.each([
  ['', true],
  ['c'.repeat(255), true],
  ['c'.repeat(256), false],
  // PostgreSQL would fail instead of finding nothing.
  ['a\0b', false],
])('accepts Kafka’s client IDs and refuses impossible ones: %j', (clientId, isGood) => {
  expect(getClientSeriesInput.safeParse({ ...range, clientId }).success).toBe(isGood);
});
