// Whether a long run's memory grows, from samples at equal intervals.

/**
 * How much larger the median of the last quarter is than that of the second, in the samples' unit. The first quarter is left out: caches fill
 * and inputs collect. Zero with fewer than eight samples.
 */
export function memoryGrowth(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  if (quarter < 2) {
    return 0;
  }
  return median(samples.slice(-quarter)) - median(samples.slice(quarter, 2 * quarter));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
