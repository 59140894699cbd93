// Wrong clocks and a suspended process; `npm run fault -- clocks` is the long version. The clocks of the service's hosts decide nothing.
import { expect, test } from 'vitest';
import { runClockFaults } from './support/clock-run.ts';

/** As short as a busy machine allows; the suspension outlasts the lease. */
const LEASE_TTL_MS = 3_000;
const SUSPENSION_MS = 6_000;
/** From the last acknowledgement of one owner to the first of the next. */
const LIMIT_MS = 15_000;

// One a day ahead, one a day behind, one suspended: writes continue elsewhere and count in their hour.
test('wrong clocks neither stop writes nor misdate them', async () => {
  const { events, acknowledged, lost, wrong } = await runClockFaults({
    leaseTtlMs: LEASE_TTL_MS,
    suspension_ms: SUSPENSION_MS,
    waitsForMinute: false,
  });
  expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
  expect(acknowledged).toBeGreaterThan(0);
  expect(events.filter(({ longestGapMs }) => longestGapMs > LIMIT_MS)).toEqual([]);
});
