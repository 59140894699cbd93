// Properties of every month, whatever its usage. The auditor below knows the price books, but none of the rating code.
import { PRICE_BOOKS, sumUsd, usd } from '@penstock/pricing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftOf } from '../invoice/draft-of.ts';
import { type RatedLine, rateMonth } from './rate-month.ts';
import { propertyRuns, type RandomMonth, randomMonth } from './testing/arbitrary-months.ts';
import { hold, sum, total } from './testing/property-checks.ts';

const runs = propertyRuns(2_000);
const options = { numRuns: runs };
const TIMEOUT_MS = 600_000;
const clusterNames = new Map<string, string>();
const GIB = 2n ** 30n;

/** A line's cents, with integers only: quantity times price divided by the price's unit, rounded half up. */
function auditedCents(line: RatedLine): bigint {
  const tenThousandths = BigInt(Math.round(Number(line.unitPriceUsd.toFixed()) * 10_000));
  const divisor = (line.unit === 'GiB' ? GIB : 1n) * 100n;
  return (2n * line.quantity * tenThousandths + divisor) / (2n * divisor);
}

/** The month's bytes per price book and tier, with ranges cut by hand, ordered by hour, then by cluster id. */
function auditedTiers({ hours, books, month }: RandomMonth): Map<string, bigint> {
  const tiers = new Map<string, bigint>();
  let before = 0n;
  const inOrder = hours.toSorted((a, b) => a.hourMs - b.hourMs || (a.clusterId < b.clusterId ? -1 : 1));
  for (const hour of inOrder) {
    const day = new Date(hour.hourMs).toISOString().slice(0, 10);
    hold(day.startsWith(month), 'an hour lies in its month');
    const book = books.findLast(({ from }) => from <= day);
    let from = 0n;
    book?.writes.forEach(({ upToGib }, index) => {
      const to = upToGib === null ? 2n ** 200n : BigInt(upToGib) * GIB;
      const end = before + hour.uncompressedBytes;
      const bytes = (end < to ? end : to) - (before > from ? before : from);
      const key = `${book.id} ${index + 1}`;
      if (bytes > 0n) {
        tiers.set(key, (tiers.get(key) ?? 0n) + bytes);
      }
      from = to;
    });
    before += hour.uncompressedBytes;
  }
  return tiers;
}

// Lines are quantity times price, and sum to the total.
test(
  `rounds each line once in ${runs} random months`,
  () => {
    fc.assert(
      fc.property(randomMonth, fc.integer({ min: 0, max: 2_000_000 }), (month, creditCents) => {
        const lines = rateMonth({ ...month, clusterNames });
        for (const line of lines) {
          hold(
            line.amountUsd.times(100).toFixed(0) === auditedCents(line).toString(),
            'quantity times price, rounded once',
          );
        }

        const writes = lines.filter(({ product }) => product === 'writes');
        const minutes = lines.filter(({ product }) => product === 'cluster_minutes');
        const metered = month.hours.map(({ uncompressedBytes }) => uncompressedBytes);
        hold(sum(writes.map(({ quantity }) => quantity)) === sum(metered), 'every metered byte is billed once');
        const meteredMinutes = month.hours.map(({ clusterMinutes }) => BigInt(clusterMinutes));
        hold(sum(minutes.map(({ quantity }) => quantity)) === sum(meteredMinutes), 'every minute is billed once');

        const tiers = new Map<string, bigint>();
        for (const { priceBookId, tier, quantity } of writes) {
          const key = `${priceBookId} ${tier}`;
          tiers.set(key, (tiers.get(key) ?? 0n) + quantity);
        }
        const audited = auditedTiers(month);
        hold(
          tiers.size === audited.size && [...tiers].every(([key, bytes]) => audited.get(key) === bytes),
          'tiers end at their bounds, to the byte',
        );

        const creditBalanceUsd = usd((creditCents / 100).toFixed(2));
        const draft = draftOf({ ...month, clusterNames, corrections: [], creditBalanceUsd });
        const left = creditBalanceUsd.plus(draft.creditUsd);
        hold(sumUsd(draft.lines.map(({ amountUsd }) => amountUsd)).eq(draft.totalUsd), 'lines sum to the total');
        hold(draft.subtotalUsd.plus(draft.creditUsd).eq(draft.totalUsd), 'subtotal and credits make the total');
        hold(BigInt(draft.subtotalUsd.times(100).toFixed(0)) === total(lines), 'hidden lines are zero lines');
        hold(draft.totalUsd.gte(0) && left.gte(0), 'neither total nor credits go below zero');
        hold(draft.totalUsd.isZero() || left.isZero(), 'credits are used before money');
        hold(
          draft.lines.every(({ amountUsd }) => !amountUsd.isZero()),
          'no line of zero is shown',
        );
      }),
      options,
    );
  },
  TIMEOUT_MS,
);

// The auditor assumes it.
test('price books use whole ten-thousandths of a dollar', () => {
  for (const book of PRICE_BOOKS) {
    for (const text of [...book.writes.map(({ usdPerGib }) => usdPerGib), ...Object.values(book.clusterUsdPerMinute)]) {
      expect(usd(text).decimalPlaces()).toBeLessThanOrEqual(4);
    }
  }
});
