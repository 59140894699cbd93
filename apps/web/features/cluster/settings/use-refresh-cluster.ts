'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../lib/trpc';

/** Reloads the cluster and the cluster list after a change. */
export function useRefreshCluster(): (clusterId: string) => Promise<void> {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return async (clusterId) => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.cluster.get.queryFilter({ clusterId })),
      queryClient.invalidateQueries(trpc.cluster.list.queryFilter()),
    ]);
  };
}
