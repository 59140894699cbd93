'use client';

import { useLiveSummary } from '../../lib/live';
import { useNow } from '../../lib/time';

/**
 * The end of the metrics pages' time range: the time of the stream's latest message. It stops while the connection is down, and so do the
 * charts.
 */
export function useLiveClock(): number {
  const summary = useLiveSummary();
  const nowMs = useNow();
  return summary === null ? nowMs : summary.atMs;
}
