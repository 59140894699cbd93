'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LiveAgent } from '../../lib/live';
import { useTRPC } from '../../lib/trpc';
import { REPORT_MS } from './use-agent-rows';

/** All that an agent last measured. Undefined before its first report and once it is gone. */
export function useAgentReading(clusterId: string, { agentId, alive }: LiveAgent) {
  const readings = useQuery({
    ...useTRPC().telemetry.agentReadings.queryOptions({ clusterId, stages: ['produce'] }),
    placeholderData: keepPreviousData,
    refetchInterval: REPORT_MS,
    enabled: alive,
  });
  return alive ? readings.data?.find((reading) => reading.agentId === agentId) : undefined;
}
