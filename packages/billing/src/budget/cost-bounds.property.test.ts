import { sumUsd } from '@penstock/pricing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingMonth } from '../rating/billing-month.ts';
import { rateMonth } from '../rating/rate-month.ts';
import { propertyRuns, randomMonth } from '../rating/testing/arbitrary-months.ts';
import { costBounds, type MonthTotal } from './cost-bounds.ts';

test('the cost of a month lies between the bounds of its totals', () => {
  let compared = 0;
  fc.assert(
    fc.property(randomMonth, ({ month, books, hours }) => {
      const totals = [...Map.groupBy(hours, ({ clusterId }) => clusterId)].map(
        ([clusterId, own]): MonthTotal => ({
          clusterId,
          uncompressedBytes: own.reduce((sum, hour) => sum + hour.uncompressedBytes, 0n),
          clusterMinutes: own.reduce((sum, hour) => sum + hour.clusterMinutes, 0),
          devMinutes: own.reduce((sum, hour) => sum + hour.devMinutes, 0),
          lowLatencyMinutes: own.reduce((sum, hour) => sum + hour.lowLatencyMinutes, 0),
        }),
      );
      const bounds = costBounds(totals, billingMonth(month), books);
      if (books.length > 1) {
        expect(bounds).toBeUndefined();
        return;
      }
      compared += 1;
      const lines = rateMonth({ hours, clusterNames: new Map(), books, month });
      const costUsd = sumUsd(lines.map(({ amountUsd }) => amountUsd));
      expect(bounds?.leastUsd.lte(costUsd)).toBe(true);
      expect(bounds?.mostUsd.gte(costUsd)).toBe(true);
    }),
    { numRuns: propertyRuns(200) },
  );
  expect(compared).toBeGreaterThan(0);
});
