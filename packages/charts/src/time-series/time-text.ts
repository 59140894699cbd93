import { DAY_MS, MINUTE_MS } from '@penstock/units';
import type { TimeSeriesData } from './prepare-time-series.ts';

/** When a step began, with the needed precision: seconds for short steps, the date when the window is longer than a day. */
export function stepText({ startMs, stepMs, window, zone }: TimeSeriesData, step: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone.id,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    ...(stepMs % MINUTE_MS === 0 ? {} : { second: '2-digit' }),
    ...(window.endMs - window.startMs > DAY_MS ? { day: 'numeric', month: 'short' } : {}),
  }).format(startMs + step * stepMs);
}

/** The time zone of the reader's machine. */
export function localZoneId(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
