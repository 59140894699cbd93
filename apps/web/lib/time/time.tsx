'use client';

import { formatAgo, formatDateTime } from '@penstock/units';
import { useNow } from './use-now';
import { useTimeZone } from './use-time-zone';

/** "3 min ago"; the exact time with its zone is in the tooltip and in the markup. */
export function Ago({ timeMs }: { timeMs: number }) {
  const nowMs = useNow();
  return (
    <time
      dateTime={new Date(timeMs).toISOString()}
      title={formatDateTime(timeMs, useTimeZone())}
      className="nums whitespace-nowrap"
    >
      {formatAgo(timeMs, nowMs)}
    </time>
  );
}

/** Date and time in the reader's time zone, which is named. */
export function DateTime({ timeMs }: { timeMs: number }) {
  return (
    <time dateTime={new Date(timeMs).toISOString()} className="nums whitespace-nowrap">
      {formatDateTime(timeMs, useTimeZone())}
    </time>
  );
}
