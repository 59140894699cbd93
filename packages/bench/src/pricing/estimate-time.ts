// How long one estimate of all systems takes, in this process.
import { DEFAULT_STATE, estimateState, withInput } from '@penstock/pricing';

const runs = 5_000;
const warmUpRuns = 500;

export interface EstimateTime {
  p50Ms: number;
  p99Ms: number;
  runs: number;
}

/** Estimates of all systems with another throughput each, one after the other. */
export function measureEstimate(): EstimateTime {
  const times_ms: number[] = [];
  for (let run = 0; run < warmUpRuns + runs; run += 1) {
    const state = withInput(DEFAULT_STATE, 'throughput', String(1 + (run % 997)));
    const start_ms = performance.now();
    estimateState(state);
    if (run >= warmUpRuns) {
      times_ms.push(performance.now() - start_ms);
    }
  }
  return { p50Ms: quantile(times_ms, 0.5), p99Ms: quantile(times_ms, 0.99), runs };
}

/** The value below which this share of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
