// The live state of clusters for pages: its current value (`snapshot`) and its changes (`subscribe`). All readers in
// this process share one stream from each cluster's owner, and one read of its health and events per change.
import type { Database } from '@penstock/database/client';
import type { Logger } from '@penstock/platform';
import type { Notifications, ReadScope } from '@penstock/tenancy';
import type { LiveClusterView } from '../cluster/cluster-view.ts';
import { getCluster } from '../cluster/get-cluster.ts';
import type { EventPage } from '../event/list-events.ts';
import type { ClusterHealth } from '../health/get-cluster-health.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { type ClusterRecords, createClusterRecords } from './cluster-records.ts';
import { type LivePart, type LivePartData, type LivePartKind, livePart } from './live-parts.ts';
import { createOwnerViews } from './owner-views.ts';
import { createWake } from './wake.ts';

/** Longer lists are sent less often, because nobody reads a thousand rows each second. */
const LONG_LIST_ROWS = 200;
const LONG_LIST_INTERVAL_MS = 5_000;

export type WatchedKind = LivePartKind | 'health' | 'events';

export interface WatchedPart {
  kind: WatchedKind;
  /** The topic or group; other kinds have none. */
  name?: string | undefined;
}

/** The current value of one part. Each update is complete, so a reader may miss some. */
export type LivePartUpdate =
  | {
      [Kind in LivePartKind]: { state: 'live'; kind: Kind; name?: string | undefined; data: LivePartData[Kind] };
    }[LivePartKind]
  | { state: 'live'; kind: 'health'; data: ClusterHealth }
  /** The newest page of the log. */
  | { state: 'live'; kind: 'events'; data: EventPage; digest: string };

/** `unreachable`: the owner does not answer now. Earlier updates remain valid, and the subscription continues. */
export type LiveUpdate = LivePartUpdate | { state: 'unreachable'; message: string };

/** The state sent last, so that only changes are sent. */
interface Sent {
  parts: Map<LivePart, { json: string; atMs: number }>;
  health: ClusterHealth | undefined;
  eventsDigest: string | null;
}

export interface LiveState {
  /**
   * One part of a cluster's view, at most one second old.
   * @throws AppError `cluster_not_found`, `metadata_unavailable`
   */
  snapshot<Kind extends LivePartKind>(
    scope: ReadScope,
    part: { clusterId: string } & LivePart<Kind>,
  ): Promise<LivePartData[Kind]>;
  /**
   * Yields each part once, then again after each change, until the signal aborts.
   * @param input.knownEvents the digest of the events that the reader already has
   * @throws AppError `cluster_not_found`
   */
  subscribe(
    scope: ReadScope,
    input: { clusterId: string; parts: readonly WatchedPart[]; knownEvents: string | null },
    signal: AbortSignal,
  ): AsyncGenerator<LiveUpdate, void, undefined>;
  /** Closes the streams from the owners. */
  close(): void;
}

/**
 * Connects when the first reader arrives.
 * @param options.lingerMs how long a stream from an owner stays open without readers
 */
export function createLiveState(
  services: {
    metadata: Pick<MetadataAdmin, 'getClusterView' | 'watchClusterView'>;
    database: Database;
    notifications: Notifications;
    logger: Logger;
  },
  options: { lingerMs?: number } = {},
): LiveState {
  const ownerViews = createOwnerViews(services.metadata, options);
  const clusterRecords = createClusterRecords(services);
  return {
    async snapshot<Kind extends LivePartKind>(
      scope: ReadScope,
      { clusterId, ...part }: { clusterId: string } & LivePart<Kind>,
    ) {
      const cluster = await getCluster(scope, { clusterId });
      return livePart(await ownerViews.snapshot(cluster.id), part as LivePart<Kind>);
    },
    async *subscribe(scope, input, signal) {
      const { organizationId } = scope;
      const cluster = await getCluster(scope, input);
      const wake = createWake();
      const parts = input.parts.filter(isLivePart);
      const kinds = new Set(
        input.parts.map(({ kind }) => kind).filter((kind) => kind === 'health' || kind === 'events'),
      );
      const views = ownerViews.subscribe(cluster.id, wake.ring);
      const records =
        kinds.size === 0 ? undefined : clusterRecords.subscribe({ organizationId, clusterId: cluster.id }, wake.ring);
      const sent: Sent = { parts: new Map(), health: undefined, eventsDigest: input.knownEvents };
      let lastOutage: string | null = null;
      try {
        while (!signal.aborted) {
          const failure = views.failure();
          if (failure !== undefined) {
            throw failure;
          }
          const { view, outage } = views.current();
          // After an outage, sends everything again to confirm what did not change.
          if (outage === null && lastOutage !== null) {
            sent.parts.clear();
          }
          if (view !== undefined) {
            yield* viewUpdates(view, parts, sent);
          }
          if (outage !== null && lastOutage === null) {
            yield { state: 'unreachable', message: outage };
          }
          lastOutage = outage;
          const newest = records?.current();
          if (newest !== undefined) {
            yield* recordUpdates(newest, kinds, sent);
          }
          await wake.wait(signal);
        }
      } finally {
        views.close();
        records?.close();
      }
    },
    close: () => ownerViews.close(),
  };
}

function isLivePart(part: WatchedPart): part is LivePart {
  return part.kind !== 'health' && part.kind !== 'events';
}

/** The parts that changed. A long list waits for its interval; views are sent at least every ten seconds. */
function* viewUpdates(
  view: LiveClusterView,
  parts: readonly LivePart[],
  sent: Sent,
): Generator<LiveUpdate, void, undefined> {
  const nowMs = performance.now();
  for (const part of parts) {
    const before = sent.parts.get(part);
    const data = livePart(view, part);
    const isLong = Array.isArray(data) && data.length >= LONG_LIST_ROWS;
    if (before !== undefined && isLong && nowMs < before.atMs + LONG_LIST_INTERVAL_MS) {
      continue;
    }
    const json = JSON.stringify(data);
    if (json === before?.json) {
      continue;
    }
    sent.parts.set(part, { json, atMs: nowMs });
    yield { state: 'live', ...part, data } as LivePartUpdate;
  }
}

function* recordUpdates(
  { health, events, eventsDigest }: ClusterRecords,
  wanted: ReadonlySet<WatchedKind>,
  sent: Sent,
): Generator<LiveUpdate, void, undefined> {
  if (wanted.has('health') && health !== sent.health) {
    sent.health = health;
    yield { state: 'live', kind: 'health', data: health };
  }
  if (wanted.has('events') && eventsDigest !== sent.eventsDigest) {
    sent.eventsDigest = eventsDigest;
    yield { state: 'live', kind: 'events', data: events, digest: eventsDigest };
  }
}
