// Formats times and ages for display. Pure: the caller passes the current time.

/** Whole numbers with thousands separators. */
export function formatCount(count: number | bigint): string {
  return count.toLocaleString('en-US');
}

/** How long ago, rounded down to one unit: "just now", "42 s ago", "3 min ago", "5 h ago", "2 days ago". */
export function formatAgo(timeMs: number, nowMs: number): string {
  const seconds = Math.floor((nowMs - timeMs) / 1_000);
  if (seconds < 2) {
    return 'just now';
  }
  if (seconds < 60) {
    return `${seconds} s ago`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ago`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return `${hours} h ago`;
  }
  return `${Math.floor(hours / 24)} days ago`;
}

/** The calendar of ECMAScript ends here, in both directions. Kafka's timestamps are 64-bit numbers that producers choose. */
const LAST_DATE_MS = 8_640_000_000_000_000;

/** Whether a `Date` can hold the time. */
export function isCalendarTime(timeMs: number): boolean {
  return Math.abs(timeMs) <= LAST_DATE_MS;
}

/**
 * Date and time with the zone's name, e.g. "21 Nov 2026, 09:14:05 UTC". Undefined `timeZone` means the machine's own. A time beyond the
 * calendar is shown in milliseconds.
 */
export function formatDateTime(timeMs: number, timeZone?: string): string {
  if (!isCalendarTime(timeMs)) {
    return `${formatCount(timeMs)} ms`;
  }
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(timeMs);
}
