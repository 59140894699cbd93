// Time of one estimate of all systems: `pnpm --filter @penstock/pricing bench`. Not part of the tests.
import { DEFAULT_STATE, estimateState, withInput } from '../src/index.ts';

const RUNS = 5000;
const times_ms: number[] = [];
for (let run = 0; run < RUNS; run += 1) {
  const state = withInput(DEFAULT_STATE, 'throughput', String(1 + (run % 997)));
  const start_ms = performance.now();
  estimateState(state);
  times_ms.push(performance.now() - start_ms);
}
times_ms.sort((a, b) => a - b);
const at = (share: number) => Number((times_ms[Math.floor(share * RUNS)] ?? 0).toFixed(4));
const mean_ms = Number((times_ms.reduce((sum, time) => sum + time, 0) / RUNS).toFixed(4));
console.log(
  JSON.stringify({
    bench: 'pricing-estimate',
    systems: 12,
    runs: RUNS,
    mean_ms,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    node: process.version,
  }),
);
