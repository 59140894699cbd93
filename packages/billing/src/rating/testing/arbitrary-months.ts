// Random months for property tests: clusters, hours and price books, up to the limits of the ledger.
import type { PriceBook } from '@penstock/pricing';
import { HOUR_MS } from '@penstock/units';
import fc from 'fast-check';
import { billingMonth } from '../billing-month.ts';
import type { UsageHourReading } from '../usage-hour-reading.ts';

/** The number of months that each property checks: a few seconds' worth, or PENSTOCK_PROPERTY_RUNS. */
export function propertyRuns(usual: number): number {
  const asked = Number(process.env['PENSTOCK_PROPERTY_RUNS'] ?? '');
  return Number.isInteger(asked) && asked > 0 ? asked : usual;
}

export interface RandomMonth {
  month: string;
  books: PriceBook[];
  hours: UsageHourReading[];
}

const clusterIds = ['a', 'b', 'c', 'd'] as const;
/** A price with up to four decimals, as ten-thousandths of a dollar. */
const price = fc.integer({ min: 0, max: 200 }).map((units) => (units / 10_000).toFixed(4));

function booksOf(month: string): fc.Arbitrary<PriceBook[]> {
  const book = fc.record({
    bounds: fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { maxLength: 3 }),
    prices: fc.array(price, { minLength: 4, maxLength: 4 }),
    minute: price,
  });
  return fc
    .record({ first: book, second: fc.option(book, { freq: 2 }), changeDay: fc.integer({ min: 2, max: 28 }) })
    .map(({ first, second, changeDay }) => {
      const made = (from: string, { bounds, prices, minute }: typeof first): PriceBook => {
        const ends = bounds.toSorted((left, right) => left - right).map(String);
        return {
          id: from,
          from,
          writes: [...ends, null].map((upToGib, index) => ({ upToGib, usdPerGib: prices[index] ?? '0' })),
          clusterUsdPerMinute: { dev: '0', standard: minute, 'low-latency': prices[0] ?? '0' },
          dev: { maxWrittenMibPerSecond: 10, maxPartitions: 1000 },
          signUpCreditUsd: '400',
        };
      };
      const books = [made('2020-01-01', first)];
      if (second !== null) {
        books.push(made(`${month}-${String(changeDay).padStart(2, '0')}`, second));
      }
      return books;
    });
}

/** Mostly of the size at which tiers change; some of one byte, some beyond a float's precision. */
const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 400n * 2n ** 30n }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 500 }).map((count) => BigInt(count) * 2n ** 30n) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 56n }) },
  { weight: 1, arbitrary: fc.constant(1n) },
);

/** February with and without the 29th, December, and months of 30 and 31 days. */
const months = fc.constantFrom('2026-11', '2026-12', '2027-02', '2028-02', '2027-01');

export const randomMonth: fc.Arbitrary<RandomMonth> = months.chain((month) => {
  const { startMs, endMs } = billingMonth(month);
  const hour = fc
    .record({
      clusterId: fc.constantFrom(...clusterIds),
      index: fc.integer({ min: 0, max: (endMs - startMs) / HOUR_MS - 1 }),
      uncompressedBytes: bytes,
      minutes: fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)),
    })
    .map(({ clusterId, index, uncompressedBytes, minutes: [dev, standard, lowLatency] }) => ({
      clusterId,
      hourMs: startMs + index * HOUR_MS,
      uncompressedBytes,
      clusterMinutes: dev + standard + lowLatency,
      devMinutes: dev,
      lowLatencyMinutes: lowLatency,
    }));
  // Mostly few hours, which shrink well and are readable; some months with many.
  const hours = fc.oneof(
    { weight: 9, arbitrary: fc.array(hour, { maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(hour, { maxLength: 40 }) },
  );
  return fc.record({ month: fc.constant(month), books: booksOf(month), hours });
});
