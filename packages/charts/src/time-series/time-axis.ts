// Round times for axes from minutes to years, in the reader's time zone. Pure: the zone is an argument.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@penstock/units';

export interface TimeZone {
  /** For the axis: `UTC`, `CET`, `GMT+5:30`. */
  name: string;
  /** An IANA name, for Intl. */
  id: string;
  /** Local time minus UTC at a time. */
  offsetMsAt: (timeMs: number) => number;
}

/** A zone by its IANA name. `aboutMs` decides between the names of summer and winter time. */
export function timeZoneOf(id: string, aboutMs: number): TimeZone {
  const named = new Intl.DateTimeFormat('en-GB', { timeZone: id, hour: '2-digit', timeZoneName: 'short' });
  const fields = new Intl.DateTimeFormat('en-GB', {
    timeZone: id,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const name = named.formatToParts(aboutMs).find(({ type }) => type === 'timeZoneName')?.value ?? id;
  return {
    name,
    id,
    offsetMsAt: (timeMs) => {
      const parts = new Map(fields.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]));
      const at = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
      const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
      return local - Math.floor(timeMs / SECOND_MS) * SECOND_MS;
    },
  };
}

/** Natural units of time. */
const STEPS_MS: readonly number[] = [
  ...[10, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 28, 56, 112].map((days) => days * DAY_MS),
];

export interface TimeTick {
  timeMs: number;
  text: string;
}

/** At most `count` ticks within a window, at round local times. A tick at the start of a day is labelled with its date. */
export function timeTicks(startMs: number, endMs: number, count: number, zone: TimeZone): TimeTick[] {
  const rough = (endMs - startMs) / Math.max(1, count);
  const stepMs = STEPS_MS.find((step) => step >= rough) ?? STEPS_MS.at(-1) ?? DAY_MS;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone.id,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    ...(stepMs < MINUTE_MS ? { second: '2-digit' } : {}),
  });
  const date = new Intl.DateTimeFormat('en-GB', { timeZone: zone.id, day: 'numeric', month: 'short' });
  const ticks: TimeTick[] = [];
  // Computed in local time, so that ticks are at local midnight and whole hours on both sides of a clock change.
  const firstLocalMs = Math.ceil((startMs + zone.offsetMsAt(startMs)) / stepMs) * stepMs;
  const lastLocalMs = endMs + zone.offsetMsAt(endMs);
  for (let localMs = firstLocalMs; localMs <= lastLocalMs; localMs += stepMs) {
    const timeMs = localMs - zone.offsetMsAt(localMs - zone.offsetMsAt(localMs));
    const before = ticks.at(-1);
    if (timeMs < startMs || timeMs > endMs || (before !== undefined && timeMs <= before.timeMs)) {
      continue;
    }
    ticks.push({ timeMs, text: (localMs % DAY_MS === 0 ? date : clock).format(timeMs) });
  }
  return ticks;
}
