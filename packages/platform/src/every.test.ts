import { expect, test } from 'vitest';
import { every, type Timers } from './every.ts';

/** Timers that fire when the test triggers them. */
function manualTimers(): Timers & { waiting: Map<() => void, number>; fire(): void } {
  const waiting = new Map<() => void, number>();
  return {
    waiting,
    after(delayMs, fire) {
      waiting.set(fire, delayMs);
      return () => waiting.delete(fire);
    },
    fire() {
      const [[due] = []] = waiting;
      if (due !== undefined) {
        waiting.delete(due);
        due();
      }
    },
  };
}

// The next one starts a whole interval after the last one ends.
test('runs never overlap', async () => {
  const timers = manualTimers();
  const run = Promise.withResolvers<void>();
  let runs = 0;
  every(
    1_000,
    () => {
      runs += 1;
      return run.promise;
    },
    { timers },
  );
  expect([runs, ...timers.waiting.values()]).toEqual([0, 1_000]);
  timers.fire();
  expect([runs, timers.waiting.size]).toEqual([1, 0]);
  run.resolve();
  await expect.poll(() => [...timers.waiting.values()]).toEqual([1_000]);
});

test('stopping waits for the current run and starts no other', async () => {
  const timers = manualTimers();
  const run = Promise.withResolvers<void>();
  let isDone = false;
  const stop = every(1_000, () => run.promise, { timers, startsNow: true });
  const stopped = stop().then(() => {
    isDone = true;
  });
  await Promise.resolve();
  expect(isDone).toBe(false);
  run.resolve();
  await stopped;
  expect(timers.waiting.size).toBe(0);
});
