'use client';

import { useLiveSummary } from '../../lib/live';
import { useNow } from '../../lib/time';

/**
 * The moment up to which pages of metrics look: that of the newest message of the cluster's live stream. While the connection is
 * down it stands still, and so do the charts.
 */
export function useLiveClock(): number {
  const summary = useLiveSummary();
  const nowMs = useNow();
  return summary === null ? nowMs : summary.atMs;
}
