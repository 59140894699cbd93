// Open-loop load: an operation starts every so often, whether or not those before it have completed. A stall therefore counts for every
// operation that was due during it, as it does for independent callers.
import { setTimeout as pauseMs } from 'node:timers/promises';

export interface OpenLoad {
  /** An operation starts this often. */
  everyMs: number;
  warmUpMs: number;
  measureMs: number;
}

export interface OpenLoopResult {
  operations: number;
  p50Ms: number;
  p99Ms: number;
}

export interface OpenLoopClock {
  nowMs: () => number;
  pause: (ms: number) => Promise<unknown>;
}

/**
 * Runs `operation` under the load. Latencies count from the moment at which an operation was due, so that a generator that is late itself
 * hides nothing. Operations of the warm-up do not count.
 * @throws what an operation throws: a measurement with failures is invalid
 */
export async function runOpenLoop(
  { everyMs, warmUpMs, measureMs }: OpenLoad,
  operation: () => Promise<unknown>,
  { nowMs, pause }: OpenLoopClock = { nowMs: () => performance.now(), pause: pauseMs },
): Promise<OpenLoopResult> {
  const latenciesMs: number[] = [];
  const underWay: Promise<unknown>[] = [];
  const failures: unknown[] = [];
  const startedMs = nowMs();
  const fromMs = startedMs + warmUpMs;
  for (let dueMs = startedMs; dueMs < fromMs + measureMs; dueMs += everyMs) {
    if (dueMs > nowMs()) {
      await pause(dueMs - nowMs());
    }
    underWay.push(
      operation().then(
        () => {
          if (dueMs >= fromMs) {
            latenciesMs.push(nowMs() - dueMs);
          }
        },
        (error: unknown) => failures.push(error),
      ),
    );
    if (failures.length > 0) {
      break;
    }
  }
  await Promise.all(underWay);
  if (failures.length > 0) {
    throw failures[0];
  }
  const sorted = Float64Array.from(latenciesMs).sort();
  const quantile = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  return { operations: sorted.length, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}
