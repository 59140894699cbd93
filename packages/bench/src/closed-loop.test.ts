import { expect, test } from 'vitest';
import { runClosedLoop } from './closed-loop.ts';

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test('never more operations are in flight than the load says, and all callers take part', async () => {
  let inFlight = 0;
  let mostInFlight = 0;
  const callers = new Set<number>();
  await runClosedLoop({ inFlight: 4, warmUpMs: 0, measureMs: 50 }, async (caller) => {
    callers.add(caller);
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    await pause(1);
    inFlight -= 1;
  });
  expect(mostInFlight).toBe(4);
  expect([...callers].sort()).toEqual([0, 1, 2, 3]);
});

test('operations of the warm-up do not count', async () => {
  let started = 0;
  const result = await runClosedLoop({ inFlight: 1, warmUpMs: 50, measureMs: 50 }, async () => {
    started += 1;
    await pause(5);
  });
  expect(result.operations).toBeLessThan(started);
  expect(result.perSecond).toBe(result.operations / 0.05);
  expect(result.p50Ms).toBeLessThanOrEqual(result.p99Ms);
});

test('a failing operation fails the measurement', async () => {
  const failing = runClosedLoop({ inFlight: 2, warmUpMs: 0, measureMs: 50 }, async () => {
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
});
