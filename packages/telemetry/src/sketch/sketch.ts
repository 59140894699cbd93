// A latency histogram without its empty buckets. Merging adds counts, bucket by bucket; nothing is lost by it, so the quantiles of a
// merged sketch are those of all latencies together, within the same error.
import { BUCKET_COUNT, bucketMiddleUs, bucketOf } from './buckets.ts';

export interface Sketch {
  /** The buckets, in ascending order. */
  readonly buckets: readonly number[];
  /** Parallel to `buckets`, at least 1 each. */
  readonly counts: readonly number[];
}

export const emptySketch: Sketch = { buckets: [], counts: [] };

/** The sketch of these latencies, in whole microseconds from 0 to `GREATEST_US`. */
export function sketchOf(latenciesUs: Iterable<number>): Sketch {
  const dense = new Float64Array(BUCKET_COUNT);
  for (const latencyUs of latenciesUs) {
    dense[bucketOf(latencyUs)] = (dense[bucketOf(latencyUs)] ?? 0) + 1;
  }
  return sparse(dense);
}

/** The sketch of all latencies of these together. */
export function mergeSketches(sketches: readonly Sketch[]): Sketch {
  const [only] = sketches;
  if (only === undefined) {
    return emptySketch;
  }
  const second = sketches[1];
  if (second === undefined) {
    return only;
  }
  if (sketches.length <= FEW_SKETCHES) {
    return sketches.slice(1).reduce(mergeTwo, only);
  }
  const dense = new Float64Array(BUCKET_COUNT);
  for (const { buckets, counts } of sketches) {
    for (let index = 0; index < buckets.length; index += 1) {
      const bucket = buckets[index] ?? 0;
      dense[bucket] = (dense[bucket] ?? 0) + (counts[index] ?? 0);
    }
  }
  return sparse(dense);
}

/** Up to this many are merged in turn; an array of all buckets takes longer than that. */
const FEW_SKETCHES = 4;

function mergeTwo(left: Sketch, right: Sketch): Sketch {
  const buckets: number[] = [];
  const counts: number[] = [];
  let atLeft = 0;
  let atRight = 0;
  for (;;) {
    const ofLeft = left.buckets[atLeft] ?? BUCKET_COUNT;
    const ofRight = right.buckets[atRight] ?? BUCKET_COUNT;
    const bucket = Math.min(ofLeft, ofRight);
    if (bucket === BUCKET_COUNT) {
      return { buckets, counts };
    }
    buckets.push(bucket);
    counts.push(
      (ofLeft === bucket ? (left.counts[atLeft] ?? 0) : 0) + (ofRight === bucket ? (right.counts[atRight] ?? 0) : 0),
    );
    if (ofLeft === bucket) {
      atLeft += 1;
    }
    if (ofRight === bucket) {
      atRight += 1;
    }
  }
}

/** How many latencies a sketch holds. */
export function sketchCount({ counts }: Sketch): number {
  let total = 0;
  for (const count of counts) {
    total += count;
  }
  return total;
}

/**
 * The smallest latency that a share of all latencies does not exceed, in microseconds, off by `RELATIVE_ERROR` of it at most.
 * @param share more than 0, at most 1: 0.99 for the 99th percentile
 * @returns undefined for an empty sketch
 */
export function quantileUs(sketch: Sketch, share: number): number | undefined {
  const rank = Math.max(1, Math.ceil(sketchCount(sketch) * share));
  let passed = 0;
  for (let index = 0; index < sketch.buckets.length; index += 1) {
    passed += sketch.counts[index] ?? 0;
    if (passed >= rank) {
      return bucketMiddleUs(sketch.buckets[index] ?? 0);
    }
  }
  return undefined;
}

function sparse(dense: Float64Array): Sketch {
  const buckets: number[] = [];
  const counts: number[] = [];
  for (let bucket = 0; bucket < dense.length; bucket += 1) {
    const count = dense[bucket] ?? 0;
    if (count > 0) {
      buckets.push(bucket);
      counts.push(count);
    }
  }
  return { buckets, counts };
}
