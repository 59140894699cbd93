'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TimeRange, Window } from '../../lib/time-range';
import { windowOf } from '../../lib/time-range';
import { useTRPC } from '../../lib/trpc';
import { type MetricsBy, metricsQuestion } from './metrics-question';
import { useLiveClock } from './use-live-clock';

/** Past windows are not used again. */
const KEPT_MS = 15_000;

/**
 * The data of the charts. A range that ends now is queried again as the cluster's live stream advances; the previous response stays until
 * the next one arrives.
 */
export function useMetrics(clusterId: string, range: TimeRange, by: MetricsBy, agentIds?: readonly string[]) {
  const trpc = useTRPC();
  const window: Window = windowOf(range, useLiveClock());
  const isWaitingForAgents = by === 'agent' && (agentIds?.length ?? 0) === 0;
  const query = useQuery({
    ...trpc.telemetry.metrics.queryOptions(metricsQuestion(clusterId, window, by, agentIds)),
    enabled: window.endMs > window.startMs && window.startMs > 0 && !isWaitingForAgents,
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
  });
  return { query, window };
}
