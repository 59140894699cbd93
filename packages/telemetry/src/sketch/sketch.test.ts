import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyLatencyUs, anySketch } from '../testing/arbitrary-samples.ts';
import {
  BUCKET_COUNT,
  bucketMiddleUs,
  bucketOf,
  bucketStartUs,
  bucketWidthUs,
  GREATEST_US,
  RELATIVE_ERROR,
} from './buckets.ts';
import { emptySketch, mergeSketches, quantileUs, sketchCount, sketchOf } from './sketch.ts';

/** The smallest value that this share of the values does not exceed, from the values themselves. */
function exactQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? Number.NaN;
}

describe('buckets', () => {
  test('lie side by side from zero to the greatest latency', () => {
    for (let bucket = 1; bucket < BUCKET_COUNT; bucket += 1) {
      expect(bucketStartUs(bucket)).toBe(bucketStartUs(bucket - 1) + bucketWidthUs(bucket - 1));
    }
    expect(bucketStartUs(BUCKET_COUNT - 1) + bucketWidthUs(BUCKET_COUNT - 1) - 1).toBe(GREATEST_US);
  });

  test('hold the latencies that begin and end them', () => {
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket += 1) {
      expect(bucketOf(bucketStartUs(bucket))).toBe(bucket);
      expect(bucketOf(bucketStartUs(bucket) + bucketWidthUs(bucket) - 1)).toBe(bucket);
    }
  });

  test('tell every latency within the stated error', () => {
    fc.assert(
      fc.property(anyLatencyUs, (latencyUs) => {
        expect(Math.abs(bucketMiddleUs(bucketOf(latencyUs)) - latencyUs)).toBeLessThanOrEqual(
          latencyUs * RELATIVE_ERROR,
        );
      }),
    );
  });
});

describe('quantiles', () => {
  test('are those of the raw latencies within the stated error', () => {
    const anyShare = fc.double({ min: 0.001, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(anyLatencyUs, { minLength: 1, maxLength: 200 }), anyShare, (latencies, share) => {
        const exact = exactQuantile(latencies, share);
        const told = quantileUs(sketchOf(latencies), share) ?? Number.NaN;
        expect(Math.abs(told - exact)).toBeLessThanOrEqual(exact * RELATIVE_ERROR);
      }),
    );
  });

  test('cover all latencies together after a merge', () => {
    const fast = Array.from({ length: 99 }, () => 1_000);
    const slow = [1_000_000];
    const merged = mergeSketches([sketchOf(fast), sketchOf(slow)]);
    expect(quantileUs(merged, 0.5)).toBe(quantileUs(sketchOf(fast), 0.5));
    expect(quantileUs(merged, 1)).toBe(quantileUs(sketchOf(slow), 1));
    expect(quantileUs(merged, 0.99)).toBe(quantileUs(sketchOf(fast), 0.5));
  });

  test('are missing for an empty sketch', () => {
    expect(quantileUs(emptySketch, 0.5)).toBeUndefined();
  });
});

describe('merging', () => {
  test('is commutative and associative, and loses nothing', () => {
    fc.assert(
      fc.property(anySketch, anySketch, anySketch, (a, b, c) => {
        const all = mergeSketches([a, b, c]);
        expect(mergeSketches([b, a])).toEqual(mergeSketches([a, b]));
        expect(mergeSketches([mergeSketches([a, b]), c])).toEqual(all);
        expect(mergeSketches([a, mergeSketches([b, c])])).toEqual(all);
        expect(sketchCount(all)).toBe(sketchCount(a) + sketchCount(b) + sketchCount(c));
        expect(mergeSketches([a, emptySketch])).toEqual(a);
      }),
    );
  });

  test('gives the sketch of the whole', () => {
    const anyLatencies = fc.array(anyLatencyUs, { maxLength: 60 });
    fc.assert(
      fc.property(anyLatencies, anyLatencies, (left, right) => {
        expect(mergeSketches([sketchOf(left), sketchOf(right)])).toEqual(sketchOf([...left, ...right]));
      }),
    );
  });
});
