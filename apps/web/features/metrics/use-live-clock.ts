'use client';

import { useLiveCluster } from '../cluster';
import { useNow } from '../time';

/**
 * The moment up to which pages of metrics look: that of the newest message of the cluster's live stream. While the connection is
 * down it stands still, and so do the charts.
 */
export function useLiveClock(): number {
  const { view } = useLiveCluster();
  const nowMs = useNow();
  return view === null ? nowMs : view.atMs;
}
