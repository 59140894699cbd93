'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '../trpc';
import { useLiveCluster } from './live-cluster';
import type { LivePart } from './use-part-cache';

const POLL_MS = 5_000;

/** Subscribes to a part of the stream. Streamed parts are not fetched; without a stream they are polled every few seconds. */
export function useLivePart({ kind, name }: LivePart, isWanted = true) {
  const { clusterId, isPolling, want } = useLiveCluster();
  useEffect(
    () => (isWanted ? want(name === undefined ? { kind } : { kind, name }) : undefined),
    [want, kind, name, isWanted],
  );
  return {
    clusterId,
    following: {
      enabled: isWanted,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: isPolling ? POLL_MS : (false as const),
    },
  };
}

/** The cluster's figures; null until they are known. They stay when the connection drops, as do all parts below. */
export function useLiveSummary() {
  const { clusterId, following } = useLivePart({ kind: 'summary' });
  return useQuery({ ...useTRPC().cluster.summary.queryOptions({ clusterId }), ...following }).data ?? null;
}

export function useLiveThroughput() {
  const { clusterId, following } = useLivePart({ kind: 'throughput' });
  return useQuery({ ...useTRPC().cluster.throughput.queryOptions({ clusterId }), ...following }).data ?? null;
}

export function useLiveAgents(isWanted = true) {
  const { clusterId, following } = useLivePart({ kind: 'agents' }, isWanted);
  return useQuery({ ...useTRPC().cluster.agents.queryOptions({ clusterId }), ...following }).data ?? null;
}

export function useLiveTopics() {
  const { clusterId, following } = useLivePart({ kind: 'topics' });
  return useQuery({ ...useTRPC().cluster.topics.queryOptions({ clusterId }), ...following }).data ?? null;
}

export function useLiveGroups() {
  const { clusterId, following } = useLivePart({ kind: 'groups' });
  return useQuery({ ...useTRPC().cluster.groups.queryOptions({ clusterId }), ...following }).data ?? null;
}

/** One topic with its partitions: undefined until it is known, null when it does not exist. */
export function useLiveTopic(name: string) {
  const { clusterId, following } = useLivePart({ kind: 'topic', name });
  return useQuery({ ...useTRPC().cluster.topic.queryOptions({ clusterId, name }), ...following }).data;
}

/** The groups that read one topic, the furthest behind first. */
export function useLiveConsumers(topicName: string) {
  const { clusterId, following } = useLivePart({ kind: 'consumers', name: topicName });
  return useQuery({ ...useTRPC().cluster.consumers.queryOptions({ clusterId, name: topicName }), ...following });
}

/** One group with its members and offsets: undefined until it is known, null when it does not exist. */
export function useLiveGroup(groupId: string) {
  const { clusterId, following } = useLivePart({ kind: 'group', name: groupId });
  return useQuery({ ...useTRPC().cluster.group.queryOptions({ clusterId, name: groupId }), ...following }).data;
}
