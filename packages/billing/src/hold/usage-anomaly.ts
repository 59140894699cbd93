// The rule that finds unusual usage: hours whose bytes are far from what the cluster usually writes. Pure. The bounds are
// published in the customers' documentation (pricing.mdx, "Unusual usage"). The journal names no agent keys, so the rule
// looks at clusters.
import { HOUR_MS } from '@penstock/units';

const GIB = 1024n ** 3n;

/** Number of days before the hour that define a cluster's usual writes. */
export const USUAL_DAYS = 14;
/** An hour below this is never unusual: it costs less than a dollar. */
export const LEAST_UNUSUAL_BYTES = 100n * GIB;
/** How often records fit into what is stored of them. Usual data compresses 2 to 10 times. */
export const UNUSUAL_RATIO = 100n;
/** Or this many times the ratio of the days before, if that is more. */
export const RATIO_FACTOR = 10n;
/** How many times the largest hour of the days before. */
export const VOLUME_FACTOR = 20n;
/** Without this much of a past, the volume of a cluster has no "usual". */
export const LEAST_PAST_HOURS = 72;

export interface HourBytes {
  hourMs: number;
  uncompressedBytes: bigint;
  storedBytes: bigint;
}

export interface UsageAnomaly {
  kind: 'ratio' | 'volume';
  /** Describes the anomaly, for customers and for us. */
  finding: string;
}

/**
 * @param past hours of the same cluster; those outside of the days before the hour don't count
 * @returns null for usual hours
 */
export function usageAnomaly(hour: HourBytes, past: readonly HourBytes[]): UsageAnomaly | null {
  const { uncompressedBytes, storedBytes, hourMs } = hour;
  if (uncompressedBytes < LEAST_UNUSUAL_BYTES) {
    return null;
  }
  const fromMs = hourMs - USUAL_DAYS * 24 * HOUR_MS;
  const before = past.filter((one) => one.hourMs >= fromMs && one.hourMs < hourMs && one.uncompressedBytes > 0n);
  const written = before.reduce((sum, one) => sum + one.uncompressedBytes, 0n);
  const stored = before.reduce((sum, one) => sum + one.storedBytes, 0n);
  // Without stored bytes, the ratio is not known.
  const isAboveBound = storedBytes > 0n && uncompressedBytes > UNUSUAL_RATIO * storedBytes;
  // Cross-multiplied, so that nothing is rounded: u/s > factor * written/stored.
  const isAboveUsual = stored === 0n || uncompressedBytes * stored > RATIO_FACTOR * written * storedBytes;
  if (isAboveBound && isAboveUsual) {
    return {
      kind: 'ratio',
      finding: `${gib(uncompressedBytes)} GiB were written, ${uncompressedBytes / storedBytes} times what is stored of them. Usual ratios are below ${UNUSUAL_RATIO}.`,
    };
  }
  const [largest = 0n] = before.map((one) => one.uncompressedBytes).sort((left, right) => (left > right ? -1 : 1));
  const first = before.reduce((earliest, one) => Math.min(earliest, one.hourMs), hourMs);
  const hasPast = hourMs - first >= LEAST_PAST_HOURS * HOUR_MS;
  if (hasPast && uncompressedBytes > VOLUME_FACTOR * largest) {
    return {
      kind: 'volume',
      finding: `${gib(uncompressedBytes)} GiB were written, more than ${VOLUME_FACTOR} times the largest hour of the ${USUAL_DAYS} days before (${gib(largest)} GiB).`,
    };
  }
  return null;
}

/** Whole GiB, rounded down. */
function gib(bytes: bigint): string {
  return (bytes / GIB).toString();
}
