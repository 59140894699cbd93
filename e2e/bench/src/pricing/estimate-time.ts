// The time of one estimate of all systems in this process.
import { DEFAULT_STATE, estimateState, withInput } from '@penstock/pricing';

const RUNS = 5_000;
const WARM_UP_RUNS = 500;

export interface EstimateTime {
  p50Ms: number;
  p99Ms: number;
  runs: number;
}

/** Estimates of all systems in sequence, each with a different throughput. */
export function measureEstimate(): EstimateTime {
  const timesMs: number[] = [];
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run += 1) {
    const state = withInput(DEFAULT_STATE, 'throughput', String(1 + (run % 997)));
    const startMs = performance.now();
    estimateState(state);
    if (run >= WARM_UP_RUNS) {
      timesMs.push(performance.now() - startMs);
    }
  }
  return { p50Ms: quantile(timesMs, 0.5), p99Ms: quantile(timesMs, 0.99), runs: RUNS };
}

/** The quantile of the values; NaN when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
