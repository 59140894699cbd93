// The usual value of a latency: the median of one value per minute over the last hour, and its deviation. Both are
// robust: more than half of the sixty minutes must be slow before slow is usual. So an outage of some minutes does not
// raise its own limit, and a lasting change (another region, other files) becomes usual after half an hour and resolves
// its finding.
import { MINUTE_MS } from '@penstock/units';
import type { UsualLatency } from './model.ts';
import { LEAST_USUAL_MINUTES, MAD_TO_DEVIATION, USUAL_DEVIATIONS, USUAL_FACTOR, USUAL_MINUTES } from './thresholds.ts';

/** The middle value, or the mean of the two middle values. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

export interface LatencyLimit {
  /** Null while too little is known. */
  usual_ms: number | null;
  /** A latency above this is a finding. */
  raise_ms: number;
  /** The finding is resolved below this. */
  clear_ms: number;
}

/**
 * @param limits `unlearned_ms` applies until enough minutes are known; a latency below `least_ms` is never a finding
 */
export function limitOf(usual: UsualLatency, limits: { unlearned_ms: number; least_ms: number }): LatencyLimit {
  if (usual.p95s_ms.length < LEAST_USUAL_MINUTES) {
    return { usual_ms: null, raise_ms: limits.unlearned_ms, clear_ms: limits.unlearned_ms / 2 };
  }
  const middleMs = median(usual.p95s_ms);
  const deviationMs = median(usual.p95s_ms.map((value) => Math.abs(value - middleMs))) * MAD_TO_DEVIATION;
  const raiseMs = Math.max(limits.least_ms, middleMs * USUAL_FACTOR, middleMs + deviationMs * USUAL_DEVIATIONS);
  return { usual_ms: middleMs, raise_ms: raiseMs, clear_ms: (middleMs + raiseMs) / 2 };
}

/** Adds one value per minute, the first of each. */
export function learn(usual: UsualLatency, nowMs: number, p95Ms: number | null): UsualLatency {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (p95Ms === null || minute === usual.minute) {
    return usual;
  }
  return { minute, p95s_ms: [...usual.p95s_ms, p95Ms].slice(-USUAL_MINUTES) };
}
