'use client';

import { useQuery } from '@tanstack/react-query';
import { useLivePart } from '../../lib/live';
import { type RouterOutputs, useTRPC } from '../../lib/trpc';

export type ClusterHealth = RouterOutputs['health']['get'];
export type OpenFinding = ClusterHealth['findings'][number];
export type Silence = ClusterHealth['silences'][number];

/** The health verdict, updated by the cluster's stream. The last known one stays when the connection drops. */
export function useClusterHealth(clusterId: string) {
  const { following } = useLivePart({ kind: 'health' });
  return useQuery({ ...useTRPC().health.get.queryOptions({ clusterId }), ...following });
}
