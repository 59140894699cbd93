// The logarithmic buckets in which agents count latencies, as LatencyHistogram in the agents' RPC describes them: 2^5 buckets for each
// further power of two, so that none is wider than 1/32 of its lower end.

/** Buckets per power of two, as a power of two. The agents' histograms have the same. */
const GROUPING_POWER = 5;
const BUCKETS_PER_POWER = 1 << GROUPING_POWER;

/** The longest latency with a bucket of its own: 2^32 - 1 microseconds, 71.6 minutes. */
export const GREATEST_US = 2 ** 32 - 1;

/** How many buckets there are. */
export const BUCKET_COUNT = (32 - GROUPING_POWER + 1) * BUCKETS_PER_POWER;

/**
 * Maximum relative error of a quantile reported as the middle of its bucket: half the width of a bucket over its lower
 * end.
 */
export const RELATIVE_ERROR = 1 / (2 * BUCKETS_PER_POWER);

/** The bucket of a latency in whole microseconds, from 0 to `GREATEST_US`. */
export function bucketOf(latencyUs: number): number {
  // The bits that the bucket does not tell apart.
  const shift = Math.max(0, 32 - Math.clz32(latencyUs) - (GROUPING_POWER + 1));
  return (shift << GROUPING_POWER) + (latencyUs >>> shift);
}

/** The shortest latency of a bucket, in microseconds. */
export function bucketStartUs(bucket: number): number {
  const shift = shiftOf(bucket);
  return (bucket - shift * BUCKETS_PER_POWER) * 2 ** shift;
}

/** How many microseconds share a bucket. */
export function bucketWidthUs(bucket: number): number {
  return 2 ** shiftOf(bucket);
}

/** The value that a bucket stands for: the middle between its shortest and its longest latency, in microseconds. */
export function bucketMiddleUs(bucket: number): number {
  return bucketStartUs(bucket) + (bucketWidthUs(bucket) - 1) / 2;
}

function shiftOf(bucket: number): number {
  return Math.max(0, (bucket >> GROUPING_POWER) - 1);
}
