import { formatDurationMs, SECOND_MS } from '@penstock/units';

/** Lag in time needs record timestamps. */
export function lagTimeText(lagSeconds: number | null): string {
  if (lagSeconds === null) {
    return '–';
  }
  return lagSeconds === 0 ? '0 s' : formatDurationMs(lagSeconds * SECOND_MS);
}
