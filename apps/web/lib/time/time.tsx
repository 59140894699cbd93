'use client';

import { formatAgo, formatDateTime, isCalendarTime } from '@penstock/units';
import { useNow } from './use-now';
import { useTimeZone } from './use-time-zone';

/** In ISO 8601; undefined for a time beyond the calendar, which a Kafka record may have. */
function isoTime(timeMs: number): string | undefined {
  return isCalendarTime(timeMs) ? new Date(timeMs).toISOString() : undefined;
}

/** "3 min ago"; the exact time with its zone is in the tooltip and in the markup. */
export function Ago({ timeMs }: { timeMs: number }) {
  const nowMs = useNow();
  return (
    <time dateTime={isoTime(timeMs)} title={formatDateTime(timeMs, useTimeZone())} className="nums whitespace-nowrap">
      {formatAgo(timeMs, nowMs)}
    </time>
  );
}

/** Date and time in the reader's time zone, which is named. */
export function DateTime({ timeMs }: { timeMs: number }) {
  return (
    <time dateTime={isoTime(timeMs)} className="nums whitespace-nowrap">
      {formatDateTime(timeMs, useTimeZone())}
    </time>
  );
}
