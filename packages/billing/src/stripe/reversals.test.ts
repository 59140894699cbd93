// Which bookings follow from refunds and disputes at Stripe, as a table.
import { expect, test } from 'vitest';
import { type DisputeReading, dueReversals, type RefundReading } from './reversals.ts';

const refund = (state: RefundReading['state']) => ({
  refunds: [{ id: 're_1', stripeChargeId: 'ch_1', amountCents: 100, state }],
  disputes: [],
});
const dispute = (state: DisputeReading['state']) => ({
  refunds: [],
  disputes: [{ id: 'dp_1', stripeChargeId: 'ch_1', amountCents: 100, state }],
});

test.each([
  ['a refund under way', refund('under way'), [], []],
  ['a refund that was made', refund('made'), [], ['refund']],
  ['a refund that was booked', refund('made'), ['refund:stripe:re_1'], []],
  ['a refund that came back', refund('returned'), ['refund:stripe:re_1'], ['refund_failed']],
  ['a refund that never left', refund('returned'), [], []],
  ['an inquiry', dispute('none'), [], []],
  ['a dispute', dispute('open'), [], ['dispute']],
  ['a dispute that was booked', dispute('open'), ['dispute:stripe:dp_1'], []],
  ['a dispute won', dispute('won'), ['dispute:stripe:dp_1'], ['dispute_won']],
  ['a dispute won of which nothing had been heard', dispute('won'), [], []],
  ['a dispute lost', dispute('lost'), ['dispute:stripe:dp_1'], ['dispute_lost']],
  ['a dispute lost of which nothing had been heard', dispute('lost'), [], ['dispute', 'dispute_lost']],
])('%s: books each amount due once', (_, reading, booked, expected) => {
  const due = dueReversals(reading, new Set(booked));
  expect(due.map(({ kind }) => kind)).toEqual(expected);
  expect(dueReversals(reading, new Set([...booked, ...due.map(({ reference }) => reference)]))).toEqual([]);
});
