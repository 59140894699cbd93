'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { useLiveAgents, useLiveCluster } from '../../lib/live';
import { useTRPC } from '../../lib/trpc';
import { useLiveClock } from '../metrics';
import { agentRows } from './agent-rows';

/** How often agents report. */
export const REPORT_MS = 10_000;

/**
 * Rows of all agents, or null until the cluster's state is known. Readings follow the cluster's live stream and do not update without it.
 */
export function useAgentRows(clusterId: string) {
  const trpc = useTRPC();
  const { coresByAgent } = useLiveCluster();
  const agents = useLiveAgents();
  const slot = Math.floor(useLiveClock() / REPORT_MS);
  const readings = useQuery({
    ...trpc.telemetry.agentFigures.queryOptions({ clusterId }),
    placeholderData: keepPreviousData,
  });
  const { refetch } = readings;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new slot triggers the request; nothing in it is used
  useEffect(() => {
    void refetch();
  }, [slot, refetch]);
  // Rendering a thousand rows takes a while, so user input gets priority.
  const known = useDeferredValue(agents);
  const measured = useDeferredValue(readings.data);
  const cores = useDeferredValue(coresByAgent);
  const rows = useMemo(
    () => (known === null ? null : agentRows(known, measured ?? [], cores)),
    [known, measured, cores],
  );
  return { rows, readings };
}
