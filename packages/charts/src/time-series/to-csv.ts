// The figures of a chart as a CSV file. Pure.
import { csvRow } from '@penstock/units';
import type { TimeSeriesData } from './prepare-time-series.ts';

/**
 * One row per step, oldest first: its start (ISO 8601, UTC), then the value of each line in the chart's base unit, which is in the column's
 * heading. Empty where nothing was measured.
 */
export function toCsv({ startMs, stepMs, steps, lines, unit }: TimeSeriesData): string {
  const rows = [csvRow(['time', ...lines.map(({ label }) => `${label} (${unit})`)])];
  for (let step = 0; step < steps; step += 1) {
    const time = new Date(startMs + step * stepMs).toISOString();
    rows.push(csvRow([time, ...lines.map(({ values }) => values[step])]));
  }
  return rows.join('');
}
