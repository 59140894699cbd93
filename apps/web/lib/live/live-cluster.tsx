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

/** Between attempts to open the stream again after an answer that was none. */
const REOPEN_MS = 3_000;
/** Less than this is no news: a stream is opened anew whenever the page shows something else. */
const CALM_MS = 1_500;
/** A stream that is away for so long is replaced by asking. */
const POLL_AFTER_MS = 5_000;

/** Codes of failures that are over some time. A page that is one too many is told by polling until another one is closed. */
const WORTH_ANOTHER_TRY: ReadonlySet<string> = new Set(['unreachable', 'streams_too_many']);

export type Connection = 'connecting' | 'live' | 'reconnecting';

export interface LiveCluster {
  clusterId: string;
  connection: Connection;
  /** Cores in use per agent id, once two heartbeats can be compared. */
  coresByAgent: ReadonlyMap<string, number>;
  /** A refusal that waiting will not change, e.g. the cluster was deleted. */
  refusal: unknown;
  /** Whether parts have to be asked for, since no stream tells them. */
  isPolling: boolean;
  /** Has the stream tell a part for as long as it is wanted; returns the end of that. */
  want: (part: LivePart) => () => void;
}

const LiveClusterContext = createContext<LiveCluster | null>(null);

/** Holds one stream for all sections of a cluster's pages; it tells what the sections at hand want, into the cache of queries. */
export function LiveClusterProvider({ clusterId, children }: { clusterId: string; children: ReactNode }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const putPart = usePartCache(clusterId);
  const [wants, setWants] = useState<readonly Want[]>([]);
  // Sections say what they want in their first effect: the stream opens after that, and once.
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
    // The server ends a stream from time to time, to check the session again: open the next one at once.
    if (status === 'idle') {
      if (wasOpen.current) {
        reset();
      }
      return;
    }
    wasOpen.current = true;
    // A browser gives up on an answer that is no event stream, e.g. from a proxy while the server restarts.
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
  // What was told before a break may be old: what is on the page is asked for once when polling begins.
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

/** The live state of the cluster whose pages these are. */
export function useLiveCluster(): LiveCluster {
  const live = useContext(LiveClusterContext);
  if (live === null) {
    throw new Error('useLiveCluster needs a <LiveClusterProvider> above it');
  }
  return live;
}
