import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runOpenLoop } from './open-loop.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const clock = { nowMs: () => Date.now(), pause };

// Each that was due meanwhile counts its wait.
test('operations start on time behind stuck ones', async () => {
  // Nothing completes before 95 ms, and everything at once from then on.
  const running = runOpenLoop(
    { everyMs: 10, warmUpMs: 0, measureMs: 200 },
    () => pause(Math.max(1, 95 - Date.now())),
    clock,
  );
  await vi.advanceTimersByTimeAsync(300);
  // Waits of 95, 85, ... 5 ms, and ten of 1 ms.
  expect(await running).toEqual({ operations: 20, p50Ms: 1, p99Ms: 95 });
});

test('operations of the warm-up do not count', async () => {
  const running = runOpenLoop(
    { everyMs: 10, warmUpMs: 50, measureMs: 100 },
    () => pause(Date.now() < 50 ? 500 : 1),
    clock,
  );
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await running).toEqual({ operations: 10, p50Ms: 1, p99Ms: 1 });
});

test('an operation that fails ends the measurement with its error', async () => {
  const running = runOpenLoop(
    { everyMs: 10, warmUpMs: 0, measureMs: 60_000 },
    () => Promise.reject(new Error('refused')),
    clock,
  );
  const outcome = expect(running).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(100);
  await outcome;
});
