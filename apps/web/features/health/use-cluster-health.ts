'use client';

import { useQuery } from '@tanstack/react-query';
import { type RouterOutputs, useTRPC } from '../trpc';

export type ClusterHealth = RouterOutputs['health']['get'];
export type OpenFinding = ClusterHealth['findings'][number];
export type Silence = ClusterHealth['silences'][number];

/** The worker looks every five seconds. */
const REFRESH_MS = 3_000;

/** The verdict, kept fresh. What was known stays when the connection drops. */
export function useClusterHealth(clusterId: string) {
  const trpc = useTRPC();
  return useQuery({ ...trpc.health.get.queryOptions({ clusterId }), refetchInterval: REFRESH_MS });
}
