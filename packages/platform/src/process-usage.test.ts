import { expect, test } from 'vitest';
import { ProcessMeter } from './process-usage.ts';

test('a busy thread shows, and only in its own period', async () => {
  const meter = new ProcessMeter();
  await turn();
  meter.read();
  // A period begins with the next turn.
  await turn();
  const untilMs = performance.now() + 80;
  while (performance.now() < untilMs) {}
  await turn();
  const { delay, residentBytes, cpuSeconds } = meter.read();
  expect(delay.longestSeconds).toBeGreaterThan(0.06);
  expect(delay.p99Seconds).toBeLessThanOrEqual(delay.longestSeconds);
  expect(residentBytes).toBeGreaterThan(1_000_000);
  expect(cpuSeconds).toBeGreaterThan(0);
  meter.stop();
});

/** Long enough for the meter's timer. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}
