'use client';

import type { ClusterWatchEvent } from '@penstock/api';
import { useQueryClient } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { toFailure, useTRPC } from '../trpc';
import { coresOf, type Heartbeats, NO_HEARTBEATS } from './agent-cores';
import { useLasting } from './use-lasting';
import { type LivePart, usePartCache } from './use-part-cache';
import { type Want, wantedParts, withoutWant, withWant } from './wants';

/** Delay before the stream is reopened after a response that was not an event stream. */
const REOPEN_MS = 3_000;
/** Shorter interruptions are not shown: the stream is reopened whenever the page shows something else. */
const CALM_MS = 1_500;
/** After this long without a stream, the page polls instead. */
const POLL_AFTER_MS = 5_000;

/** Error codes of temporary failures. A page over the limit of streams polls until another one is closed. */
const WORTH_ANOTHER_TRY: ReadonlySet<string> = new Set(['unreachable', 'streams_too_many']);

export type Connection = 'connecting' | 'live' | 'reconnecting';

export interface LiveCluster {
  clusterId: string;
  connection: Connection;
  /** Cores in use by agent id, available after two heartbeats. */
  coresByAgent: ReadonlyMap<string, number>;
  /** A permanent error, e.g. the cluster was deleted. */
  refusal: unknown;
  /** Whether parts must be polled because no stream delivers them. */
  isPolling: boolean;
  /** Subscribes the stream to a part; returns the function that unsubscribes. */
  want: (part: LivePart) => () => void;
}

const LiveClusterContext = createContext<LiveCluster | null>(null);

/** Shares one stream among all sections of a cluster's pages. It writes the parts that the current sections want into the query cache. */
export function LiveClusterProvider({ clusterId, children }: { clusterId: string; children: ReactNode }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const putPart = usePartCache(clusterId);
  const [wants, setWants] = useState<readonly Want[]>([]);
  // Sections subscribe in their first effect. The stream opens after that, so that it opens only once.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  const want = useCallback((part: LivePart) => {
    setWants((before) => withWant(before, part));
    return () => setWants((before) => withoutWant(before, part));
  }, []);
  const [isOwnerReachable, setIsOwnerReachable] = useState(true);
  const [heartbeats, setHeartbeats] = useState<Heartbeats>(NO_HEARTBEATS);
  const onEvent = (event: ClusterWatchEvent): void => {
    setIsOwnerReachable(event.state === 'live');
    if (event.state !== 'live') {
      return;
    }
    putPart(event);
    if (event.kind === 'agents') {
      setHeartbeats((before) => coresOf(before, event.data));
    }
  };
  const parts = useMemo(() => wantedParts(wants), [wants]);
  const { status, error, reset } = useSubscription(
    trpc.cluster.watch.subscriptionOptions(
      { clusterId, parts },
      { enabled: isMounted, onData: (message) => onEvent(message.data) },
    ),
  );
  const code = status === 'error' ? toFailure(error).code : undefined;
  const isRefused = code !== undefined && !WORTH_ANOTHER_TRY.has(code);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The server ends a stream from time to time to check the session again: reopen it at once.
    if (status === 'idle') {
      if (wasOpen.current) {
        reset();
      }
      return;
    }
    wasOpen.current = true;
    // A browser stops reconnecting after a response that is not an event stream, e.g. from a proxy while the server restarts.
    if (status === 'error' && !isRefused) {
      const timer = setTimeout(reset, REOPEN_MS);
      return () => clearTimeout(timer);
    }
  }, [status, isRefused, reset]);

  const isLive = status === 'pending' && isOwnerReachable;
  const isDown = useLasting(!isLive, CALM_MS);
  const [hasBeenLive, setHasBeenLive] = useState(false);
  if (isLive && !hasBeenLive) {
    setHasBeenLive(true);
  }
  const connection: Connection =
    isLive || (hasBeenLive && !isDown) ? 'live' : hasBeenLive || !isOwnerReachable ? 'reconnecting' : 'connecting';
  const isPolling = useLasting(!isLive, POLL_AFTER_MS) && !isRefused;
  // Data from before the interruption may be old, so it is refetched once when polling begins.
  useEffect(() => {
    if (isPolling) {
      void queries.invalidateQueries({ queryKey: trpc.cluster.summary.queryKey({ clusterId }) });
    }
  }, [isPolling, queries, trpc, clusterId]);

  const value = useMemo<LiveCluster>(
    () => ({
      clusterId,
      connection,
      coresByAgent: heartbeats.coresByAgent,
      refusal: isRefused ? error : null,
      isPolling,
      want,
    }),
    [clusterId, connection, heartbeats, isRefused, error, isPolling, want],
  );
  return <LiveClusterContext value={value}>{children}</LiveClusterContext>;
}

/** The live state of the cluster that these pages show. */
export function useLiveCluster(): LiveCluster {
  const live = useContext(LiveClusterContext);
  if (live === null) {
    throw new Error('useLiveCluster needs a <LiveClusterProvider> above it');
  }
  return live;
}
