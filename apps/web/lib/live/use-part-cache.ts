'use client';

import type { ClusterWatchEvent } from '@penstock/api';
import { hashKey, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC } from '../trpc';
import { type EventPages, withNewest } from './newest-events';
import { putStreamed } from './put-streamed';

/** As many events as the stream sends at a time. */
export const EVENTS_PER_PAGE = 50;

export type LivePartUpdate = Extract<ClusterWatchEvent, { state: 'live' }>;
export interface LivePart {
  kind: LivePartUpdate['kind'];
  name?: string;
}

/** Writes streamed parts to the cache entries of the queries for the same parts. */
export function usePartCache(clusterId: string): (update: LivePartUpdate) => void {
  const queries = useQueryClient();
  const { cluster, health } = useTRPC();
  return useCallback(
    (update) => {
      const of = { clusterId };
      const named = { clusterId, name: 'name' in update ? (update.name ?? '') : '' };
      switch (update.kind) {
        case 'summary':
          putStreamed(queries, cluster.summary.queryKey(of), update.data);
          return;
        case 'throughput':
          putStreamed(queries, cluster.throughput.queryKey(of), update.data);
          return;
        case 'agents':
          putStreamed(queries, cluster.agents.queryKey(of), update.data);
          return;
        case 'topics':
          putStreamed(queries, cluster.topics.queryKey(of), update.data);
          return;
        case 'groups':
          putStreamed(queries, cluster.groups.queryKey(of), update.data);
          return;
        case 'topic':
          putStreamed(queries, cluster.topic.queryKey(named), update.data);
          return;
        case 'group':
          putStreamed(queries, cluster.group.queryKey(named), update.data);
          return;
        case 'consumers':
          putStreamed(queries, cluster.consumers.queryKey(named), update.data);
          return;
        case 'health':
          putStreamed(queries, health.get.queryKey(of), update.data);
          return;
        case 'events': {
          const wholeLog = health.events.infiniteQueryKey({ clusterId, limit: EVENTS_PER_PAGE });
          queries.setQueryData<EventPages>(wholeLog, (before) =>
            before === undefined ? undefined : withNewest(before, update.data),
          );
          // Events about one subject may be beyond the newest page, so they are fetched.
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
