'use client';

import type { ClusterWatchEvent } from '@penstock/api';
import { hashKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC } from '../trpc';
import { type EventPages, withNewest } from './newest-events';

/** As many as the stream tells of at a time. */
export const EVENTS_PER_PAGE = 50;

export type LivePartUpdate = Extract<ClusterWatchEvent, { state: 'live' }>;
export interface LivePart {
  kind: LivePartUpdate['kind'];
  name?: string;
}

/** Puts what the stream tells where the queries of the same parts keep their answers. */
export function usePartCache(clusterId: string): (update: LivePartUpdate) => void {
  const queries = useQueryClient();
  const { cluster, health } = useTRPC();
  return useCallback(
    (update) => {
      const of = { clusterId };
      const named = { clusterId, name: 'name' in update ? (update.name ?? '') : '' };
      switch (update.kind) {
        case 'summary':
          queries.setQueryData(cluster.summary.queryKey(of), update.data);
          return;
        case 'throughput':
          queries.setQueryData(cluster.throughput.queryKey(of), update.data);
          return;
        case 'agents':
          queries.setQueryData(cluster.agents.queryKey(of), update.data);
          return;
        case 'topics':
          queries.setQueryData(cluster.topics.queryKey(of), update.data);
          return;
        case 'groups':
          queries.setQueryData(cluster.groups.queryKey(of), update.data);
          return;
        case 'topic':
          queries.setQueryData(cluster.topic.queryKey(named), update.data);
          return;
        case 'group':
          queries.setQueryData(cluster.group.queryKey(named), update.data);
          return;
        case 'health':
          queries.setQueryData(health.get.queryKey(of), update.data);
          return;
        case 'events': {
          const wholeLog = health.events.infiniteQueryKey({ clusterId, limit: EVENTS_PER_PAGE });
          queries.setQueryData<EventPages>(wholeLog, (before) =>
            before === undefined ? undefined : withNewest(before, update.data),
          );
          // What is about one subject alone may lie beyond the newest page: it is asked for.
          void queries.invalidateQueries({
            queryKey: health.events.pathKey(),
            predicate: ({ queryKey }) => hashKey(queryKey) !== hashKey(wholeLog),
          });
          return;
        }
      }
    },
    [queries, cluster, health, clusterId],
  );
}
