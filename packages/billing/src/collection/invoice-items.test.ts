import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCents } from '../stripe/index.ts';
import { type InvoiceItemLine, invoiceItems, MOST_ITEMS } from './invoice-items.ts';

const WHERE = 'Invoice PS-2026-000042 lists them.';

function lines(count: number, product = 'writes'): InvoiceItemLine[] {
  return Array.from({ length: count }, (_, index) => ({
    position: index + 1,
    product,
    clusterId: `cluster-${Math.floor(index / 2)}`,
    description: `orders-${index}: writes`,
    amountUsd: '1.23',
  }));
}

test('up to 200 lines are items of their own', () => {
  const items = invoiceItems(lines(MOST_ITEMS), WHERE);
  expect(items).toHaveLength(MOST_ITEMS);
  expect(items[1]).toEqual({ position: 2, amountCents: 123, description: 'orders-1: writes' });
});

test('more lines become one item per product', () => {
  const many = lines(MOST_ITEMS + 1);
  const credit = { position: 202, product: 'credit', clusterId: null, description: 'Credits', amountUsd: '-5.00' };
  expect(invoiceItems([...many, credit], WHERE)).toEqual([
    { position: 1, amountCents: 24_723, description: `Writes: 201 lines of 101 virtual clusters. ${WHERE}` },
    { position: 202, amountCents: -500, description: `Credits: one line. ${WHERE}` },
  ]);
});

test('the items sum to the lines, and Stripe takes them all', () => {
  const line = fc.record({
    position: fc.integer({ min: 1, max: 10_000 }),
    product: fc.constantFrom('writes', 'cluster_minutes', 'credit', 'correction', 'another'),
    clusterId: fc.option(fc.uuid()),
    description: fc.string(),
    amountUsd: fc.integer({ min: -9_999_999, max: 9_999_999 }).map((cents) => (cents / 100).toFixed(2)),
  });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 600 }), (given) => {
      const items = invoiceItems(given, WHERE);
      const sum = given.reduce((cents, { amountUsd }) => cents + toCents(amountUsd), 0);
      expect(items.reduce((cents, { amountCents }) => cents + amountCents, 0)).toBe(sum);
      expect(items.length).toBeLessThanOrEqual(MOST_ITEMS);
    }),
    { numRuns: 50 },
  );
});
