// The contract of HostClock. It runs on this machine's clock, on the manual clock of tests, and on the simulation's machines.
import { describe, expect, test } from 'vitest';
import type { HostClock } from '../owners/clock.ts';

export interface ClockHarness {
  clock(): HostClock;
  /** Lets time pass until the promise resolves. */
  pass(until: Promise<void>): Promise<void>;
}

/** Node's timers count whole milliseconds, so one may fire this much early by a finer clock. */
const TIMER_RESOLUTION_MS = 1;

export function describeClock(name: string, harness: ClockHarness): void {
  const fired = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      harness.clock().after(delayMs, resolve);
    });

  describe(`${name}: clock`, () => {
    test('the time is a whole number of milliseconds since the epoch', async () => {
      const clock = harness.clock();
      await harness.pass(fired(1.5));
      expect(clock.nowMs()).toBeGreaterThan(Date.UTC(2025));
      expect(Number.isInteger(clock.nowMs())).toBe(true);
    });

    test('time passes on every clock, and never goes back', async () => {
      const clock = harness.clock();
      const before = [clock.nowMs(), clock.monotonicMs(), clock.bootMs()];
      // The time since boot has a resolution of 10 ms.
      await harness.pass(fired(30));
      const after = [clock.nowMs(), clock.monotonicMs(), clock.bootMs()];
      for (const [index, ms] of after.entries()) {
        expect(ms).toBeGreaterThan(before[index] ?? Number.POSITIVE_INFINITY);
      }
    });

    test('a timer fires once, after its delay and never within the call', async () => {
      const clock = harness.clock();
      const startMs = clock.monotonicMs();
      const firedAtMs: number[] = [];
      clock.after(5, () => firedAtMs.push(clock.monotonicMs()));
      clock.after(0, () => firedAtMs.push(clock.monotonicMs()));
      clock.after(-1, () => firedAtMs.push(clock.monotonicMs()));
      expect(firedAtMs).toEqual([]);
      await harness.pass(fired(40));
      expect(firedAtMs).toHaveLength(3);
      expect(firedAtMs.at(-1)).toBeGreaterThanOrEqual(startMs + 5 - TIMER_RESOLUTION_MS);
    });

    test('timers fire in the order in which they are due', async () => {
      const clock = harness.clock();
      const order: string[] = [];
      clock.after(25, () => order.push('third'));
      clock.after(5, () => order.push('first'));
      clock.after(15, () => order.push('second'));
      await harness.pass(fired(60));
      expect(order).toEqual(['first', 'second', 'third']);
    });

    test('a cancelled timer never fires, even when it is due', async () => {
      const clock = harness.clock();
      let isFired = false;
      const cancel = clock.after(5, () => {
        isFired = true;
      });
      const cancelLate = clock.after(10, () => {
        isFired = true;
      });
      clock.after(0, cancelLate);
      cancel();
      cancel();
      await harness.pass(fired(40));
      expect(isFired).toBe(false);
    });

    test('`soon` comes in the next turn, after pending promises', async () => {
      const order: string[] = [];
      const next = new Promise<void>((resolve) => {
        harness.clock().soon(() => {
          order.push('soon');
          resolve();
        });
      });
      void Promise.resolve().then(() => order.push('promise'));
      order.push('call');
      await harness.pass(next);
      expect(order).toEqual(['call', 'promise', 'soon']);
    });
  });
}
