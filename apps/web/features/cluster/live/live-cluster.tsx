'use client';

import type { ClusterWatchEvent } from '@penstock/api';
import { useSubscription } from '@trpc/tanstack-react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { toFailure, useTRPC } from '../../trpc';
import type { LiveAgent, LiveView } from './live-view';
import { agentCores } from './summaries';

/** Between attempts to open the stream again after an answer that was none. */
const REOPEN_MS = 3_000;

export type Connection = 'connecting' | 'live' | 'reconnecting';

export type LiveCluster = {
  /** The newest state; null until the first arrives. It stays when the connection drops. */
  view: LiveView | null;
  connection: Connection;
  /** Cores in use per agent id, once two heartbeats can be compared. */
  coresByAgent: ReadonlyMap<string, number>;
  /** A refusal that waiting will not change, e.g. the cluster was deleted. */
  refusal: unknown;
};

type Received = {
  view: LiveView | null;
  isOwnerReachable: boolean;
  coresByAgent: ReadonlyMap<string, number>;
  /** Per agent the view with its newest heartbeat. */
  heartbeats: ReadonlyMap<string, LiveAgent>;
};

const NOTHING: Received = { view: null, isOwnerReachable: true, coresByAgent: new Map(), heartbeats: new Map() };

const LiveClusterContext = createContext<LiveCluster | null>(null);

/** Subscribes once for all sections of a cluster's pages. */
export function LiveClusterProvider({ clusterId, children }: { clusterId: string; children: ReactNode }) {
  const trpc = useTRPC();
  const [received, setReceived] = useState<Received>(NOTHING);
  const subscription = useSubscription(
    trpc.cluster.watch.subscriptionOptions(
      { clusterId },
      { onData: (message) => setReceived((before) => receive(before, message.data)) },
    ),
  );
  const { status, error, reset } = subscription;
  const isRefused = status === 'error' && toFailure(error).code !== 'unreachable';
  useEffect(() => {
    // The server ends a stream from time to time, to check the session again: open the next one at once.
    if (status === 'idle') {
      reset();
      return;
    }
    // A browser gives up on an answer that is no event stream, e.g. from a proxy while the server restarts.
    if (status === 'error' && !isRefused) {
      const timer = setTimeout(reset, REOPEN_MS);
      return () => clearTimeout(timer);
    }
  }, [status, isRefused, reset]);
  const value = useMemo<LiveCluster>(() => {
    const isLive = status === 'pending' && received.isOwnerReachable && received.view !== null;
    const isFirst = received.view === null && received.isOwnerReachable;
    return {
      view: received.view,
      connection: isLive ? 'live' : isFirst ? 'connecting' : 'reconnecting',
      coresByAgent: received.coresByAgent,
      refusal: isRefused ? error : null,
    };
  }, [received, status, isRefused, error]);
  return <LiveClusterContext value={value}>{children}</LiveClusterContext>;
}

/** Views come more often than heartbeats: an agent's cores stand until its next heartbeat. */
function receive(before: Received, event: ClusterWatchEvent): Received {
  if (event.state === 'unreachable') {
    return { ...before, isOwnerReachable: false };
  }
  const coresByAgent = new Map<string, number>();
  const heartbeats = new Map<string, LiveAgent>();
  for (const agent of event.view.agents) {
    const known = before.heartbeats.get(agent.agentId);
    const cores = agentCores(known, agent) ?? before.coresByAgent.get(agent.agentId);
    if (cores !== undefined) {
      coresByAgent.set(agent.agentId, cores);
    }
    heartbeats.set(agent.agentId, known !== undefined && known.lastSeenMs === agent.lastSeenMs ? known : agent);
  }
  return { view: event.view, isOwnerReachable: true, coresByAgent, heartbeats };
}

/** The live state of the cluster whose pages these are. */
export function useLiveCluster(): LiveCluster {
  const live = useContext(LiveClusterContext);
  if (live === null) {
    throw new Error('useLiveCluster needs a <LiveClusterProvider> above it');
  }
  return live;
}
