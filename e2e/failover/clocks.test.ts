// Wrong clocks and a suspended process, as `npm run fault:clocks` has them at length: the clocks of the service's hosts decide nothing.
import { expect, test } from 'vitest';
import { runClockFaults } from './support/clock-run.ts';

/** As short as a busy machine allows; the suspension outlasts the lease. */
const leaseTtl_ms = 3_000;
const suspension_ms = 6_000;
/** From the last acknowledgement of the one owner to the first of the next. */
const limit_ms = 15_000;

test('a process a day ahead, one a day behind, one suspended: writes go on elsewhere, and each is metered in its hour', async () => {
  const { events, acknowledged, lost, wrong } = await runClockFaults({
    leaseTtl_ms,
    suspension_ms,
    waitsForMinute: false,
  });
  expect({ lost, wrong }).toEqual({ lost: 0, wrong: [] });
  expect(acknowledged).toBeGreaterThan(0);
  expect(events.filter(({ longestGap_ms }) => longestGap_ms > limit_ms)).toEqual([]);
});
