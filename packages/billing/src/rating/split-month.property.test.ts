// Splitting a month may change a cent per split line, and nothing else. A separate file, so that both property tests
// run in parallel.
import type { PriceBook } from '@penstock/pricing';
import fc from 'fast-check';
import { test } from 'vitest';
import { isSameLine, rateMonth } from './rate-month.ts';
import { propertyRuns, type RandomMonth, randomMonth } from './testing/arbitrary-months.ts';
import { hold, sum, total } from './testing/property-checks.ts';

const runs = propertyRuns(2_000);
const options = { numRuns: runs };
const TIMEOUT_MS = 600_000;
const clusterNames = new Map<string, string>();

/** Renames the price book from this day on: lines end there and new ones begin, and nothing else changes. */
function splitAt(books: readonly PriceBook[], day: string): PriceBook[] {
  const before = books.filter(({ from }) => from < day);
  const holding = books.findLast(({ from }) => from <= day);
  return [
    ...before,
    ...(holding === undefined ? [] : [{ ...holding, id: `split ${day}`, from: day }]),
    ...books.filter(({ from }) => from > day),
  ];
}

/** The hours in reverse order, each split into two readings. */
function inPieces(hours: RandomMonth['hours'], parts: bigint): RandomMonth['hours'] {
  return hours.toReversed().flatMap((hour) => [
    { ...hour, uncompressedBytes: hour.uncompressedBytes / parts },
    {
      ...hour,
      uncompressedBytes: hour.uncompressedBytes - hour.uncompressedBytes / parts,
      clusterMinutes: 0,
      devMinutes: 0,
      lowLatencyMinutes: 0,
    },
  ]);
}

// Split readings change nothing.
test(
  `splitting a line changes ${runs} totals by at most a cent`,
  () => {
    const days = fc.uniqueArray(fc.integer({ min: 2, max: 28 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(randomMonth, days, fc.bigInt({ min: 2n, max: 9n }), (month, splitDays, parts) => {
        const whole = rateMonth({ ...month, clusterNames });
        const books = splitDays.reduce(
          (split, day) => splitAt(split, `${month.month}-${String(day).padStart(2, '0')}`),
          month.books,
        );
        const split = rateMonth({ ...month, books, clusterNames });
        const splits = split.length - whole.length;
        const difference = total(split) - total(whole);
        hold((difference < 0n ? -difference : difference) <= BigInt(splits), 'a cent per split at most');
        hold(
          sum(split.map(({ quantity }) => quantity)) === sum(whole.map(({ quantity }) => quantity)),
          'a split loses nothing',
        );

        const again = rateMonth({ ...month, hours: inPieces(month.hours, parts), clusterNames });
        hold(again.length === whole.length, 'the same lines');
        hold(
          again.every((line, index) => {
            const same = whole[index];
            return same !== undefined && isSameLine(line, same) && line.quantity === same.quantity;
          }),
          'the same quantities',
        );
        hold(total(again) === total(whole), 'the same cents');
      }),
      options,
    );
  },
  TIMEOUT_MS,
);
