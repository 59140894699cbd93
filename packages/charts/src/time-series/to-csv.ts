// The figures behind a chart as a file. Pure.
import type { TimeSeriesData } from './prepare-time-series.ts';

/** What a spreadsheet would take for a formula begins with one of these. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One row per step, oldest first: its beginning (ISO 8601, UTC), then the value of each line in the chart's base unit, which heads
 * its column. Empty where nothing was measured.
 */
export function toCsv({ startMs, stepMs, steps, lines, unit }: TimeSeriesData): string {
  const rows = [['time', ...lines.map(({ label }) => cell(`${label} (${unit})`))].join(',')];
  for (let step = 0; step < steps; step += 1) {
    const time = new Date(startMs + step * stepMs).toISOString();
    rows.push([time, ...lines.map(({ values }) => String(values[step] ?? ''))].join(','));
  }
  return `${rows.join('\r\n')}\r\n`;
}

/** Quoted by RFC 4180. A zone's name is the customer's own text: it must not run as a formula. */
function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
