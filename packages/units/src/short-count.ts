// Counts (records, partitions, requests) for narrow places.

const SHORT_STEPS: readonly { from: number; suffix: string }[] = [
  { from: 1e12, suffix: 'T' },
  { from: 1e9, suffix: 'B' },
  { from: 1e6, suffix: 'M' },
  { from: 1e3, suffix: 'k' },
];

/** A count for narrow places such as axis ticks: `950`, `12.3k`, `4M`. At most three significant digits. */
export function formatShortCount(count: number | bigint): string {
  const value = Number(count);
  const magnitude = Math.abs(value);
  for (const { from, suffix } of SHORT_STEPS) {
    // 999,950 and above round to 1,000k, which is 1M.
    if (magnitude >= from * 0.99995 && magnitude >= 1000) {
      return `${Number((value / from).toPrecision(3)).toString()}${suffix}`;
    }
  }
  return Number(value.toPrecision(3)).toString();
}

/** A rate of events per second as short text: `12.3k/s`. */
export function formatCountRate(perSecond: number): string {
  return `${formatShortCount(perSecond)}/s`;
}
