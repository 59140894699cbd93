import { expect, test } from 'vitest';
import { runClosedLoop } from './closed-loop.ts';

/** A clock that each operation advances by its duration, so that the machine's load does not matter. */
function virtualClock() {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    pass: async (durationMs: number): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      nowMs += durationMs;
    },
  };
}

test('all callers take part within the limit in flight', async () => {
  const clock = virtualClock();
  let inFlight = 0;
  let mostInFlight = 0;
  const callers = new Set<number>();
  const operation = async (caller: number): Promise<void> => {
    callers.add(caller);
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    await clock.pass(1);
    inFlight -= 1;
  };
  await runClosedLoop({ inFlight: 4, warmUpMs: 0, measureMs: 50 }, operation, clock.nowMs);
  expect(mostInFlight).toBe(4);
  expect([...callers].sort()).toEqual([0, 1, 2, 3]);
});

test('operations of the warm-up are not counted', async () => {
  const clock = virtualClock();
  let started = 0;
  const operation = async (): Promise<void> => {
    started += 1;
    await clock.pass(5);
  };
  const result = await runClosedLoop({ inFlight: 1, warmUpMs: 50, measureMs: 50 }, operation, clock.nowMs);
  expect(started).toBe(20);
  expect(result).toEqual({ operations: 10, seconds: 0.05, perSecond: 200, p50Ms: 5, p99Ms: 5 });
});

test('a failing operation fails the measurement', async () => {
  const failing = runClosedLoop({ inFlight: 2, warmUpMs: 0, measureMs: 50 }, async () => {
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
});
