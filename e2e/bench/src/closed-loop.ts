// Closed-loop load: a fixed number of callers, each of which starts its next operation when its previous one has completed.

export interface Load {
  /** Operations in flight at any time. */
  inFlight: number;
  warmUpMs: number;
  measureMs: number;
}

export interface LoopResult {
  operations: number;
  seconds: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Runs `operation` under the load. Operations started during the warm-up do not count.
 * @param operation receives the number of its caller, from 0
 * @param nowMs reads a monotonic clock
 * @throws what an operation throws: a measurement with failures is invalid
 */
export async function runClosedLoop(
  load: Load,
  operation: (caller: number) => Promise<unknown>,
  nowMs: () => number = () => performance.now(),
): Promise<LoopResult> {
  const startedMs = nowMs();
  const fromMs = startedMs + load.warmUpMs;
  const untilMs = fromMs + load.measureMs;
  const latenciesMs: number[] = [];
  const call = async (caller: number): Promise<void> => {
    for (;;) {
      const beganMs = nowMs();
      if (beganMs >= untilMs) {
        return;
      }
      await operation(caller);
      const endedMs = nowMs();
      if (beganMs >= fromMs && endedMs <= untilMs) {
        latenciesMs.push(endedMs - beganMs);
      }
    }
  };
  await Promise.all(Array.from({ length: load.inFlight }, (_, caller) => call(caller)));
  const sorted = Float64Array.from(latenciesMs).sort();
  const seconds = load.measureMs / 1_000;
  return {
    operations: sorted.length,
    seconds,
    perSecond: sorted.length / seconds,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
}

/** The smallest value that is not below this share of the sorted values. */
function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
