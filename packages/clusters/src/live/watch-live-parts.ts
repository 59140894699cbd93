// Several parts of a cluster's live state, its health and its newest events as they change, for as long as a page is open.
import type { ReadScope } from '@penstock/tenancy';
import type { LiveClusterView } from '../cluster/cluster-view.ts';
import { getCluster } from '../cluster/get-cluster.ts';
import type { EventPage } from '../event/list-events.ts';
import type { ClusterHealth } from '../health/get-cluster-health.ts';
import { type LivePart, type LivePartData, type LivePartKind, livePart } from './live-parts.ts';
import type { LiveRecords, LiveRecordsFeed } from './live-records.ts';
import type { LiveViews } from './live-views.ts';
import { createWake } from './wake.ts';

/** Lists of so many rows are long: told less often, since nobody reads a thousand rows each second. */
const longList_rows = 200;
const longListEvery_ms = 5_000;

export type WatchedKind = LivePartKind | 'health' | 'events';

export interface WatchedPart {
  kind: WatchedKind;
  /** Of the topic or group; other kinds have none. */
  name?: string | undefined;
}

/** One part as it is now. Each is whole: who missed some has missed nothing. */
export type LivePartUpdate =
  | {
      [Kind in LivePartKind]: { state: 'live'; kind: Kind; name?: string | undefined; data: LivePartData[Kind] };
    }[LivePartKind]
  | { state: 'live'; kind: 'health'; data: ClusterHealth }
  /** The newest page of the log. */
  | { state: 'live'; kind: 'events'; data: EventPage; digest: string };

/** `unreachable`: the owner does not answer at the moment; what was told stands, and the watch goes on. */
export type LiveUpdate = LivePartUpdate | { state: 'unreachable'; message: string };

/** What was told last, to tell it again only when it is another. */
interface Told {
  parts: Map<LivePart, { json: string; atMs: number }>;
  health: ClusterHealth | undefined;
  eventsDigest: string | null;
}

/**
 * Each part once, then again when it has changed, until the signal aborts.
 * @param input.knownEvents the digest of the events that the reader has already
 * @throws AppError `cluster_not_found`
 */
export async function* watchLiveParts(
  services: { liveViews: LiveViews; liveRecords: LiveRecordsFeed },
  scope: ReadScope,
  input: { clusterId: string; parts: readonly WatchedPart[]; knownEvents: string | null },
  signal: AbortSignal,
): AsyncGenerator<LiveUpdate, void, undefined> {
  const { organizationId } = scope;
  const cluster = await getCluster(scope, input);
  const wake = createWake();
  const parts = input.parts.filter(isLivePart);
  const records = new Set(input.parts.map(({ kind }) => kind).filter((kind) => kind === 'health' || kind === 'events'));
  const views = services.liveViews.follow(cluster.id, wake.ring);
  const feed =
    records.size === 0 ? undefined : services.liveRecords.follow({ organizationId, clusterId: cluster.id }, wake.ring);
  const told: Told = { parts: new Map(), health: undefined, eventsDigest: input.knownEvents };
  let lastOutage: string | null = null;
  try {
    while (!signal.aborted) {
      const failure = views.failure();
      if (failure !== undefined) throw failure;
      const { view, outage } = views.current();
      // What stood still through an outage is told again: it is known to be so now.
      if (outage === null && lastOutage !== null) told.parts.clear();
      if (view !== undefined) yield* newsOfView(view, parts, told);
      if (outage !== null && lastOutage === null) yield { state: 'unreachable', message: outage };
      lastOutage = outage;
      const newest = feed?.current();
      if (newest !== undefined) yield* newsOfRecords(newest, records, told);
      await wake.wait(signal);
    }
  } finally {
    views.close();
    feed?.close();
  }
}

function isLivePart(part: WatchedPart): part is LivePart {
  return part.kind !== 'health' && part.kind !== 'events';
}

/** The parts that differ from what was told. A long list waits for its turn; views come at least every ten seconds. */
function* newsOfView(
  view: LiveClusterView,
  parts: readonly LivePart[],
  told: Told,
): Generator<LiveUpdate, void, undefined> {
  const nowMs = performance.now();
  for (const part of parts) {
    const before = told.parts.get(part);
    const data = livePart(view, part);
    const isLong = Array.isArray(data) && data.length >= longList_rows;
    if (before !== undefined && isLong && nowMs < before.atMs + longListEvery_ms) continue;
    const json = JSON.stringify(data);
    if (json === before?.json) continue;
    told.parts.set(part, { json, atMs: nowMs });
    yield { state: 'live', ...part, data } as LivePartUpdate;
  }
}

function* newsOfRecords(
  { health, events, eventsDigest }: LiveRecords,
  wanted: ReadonlySet<WatchedKind>,
  told: Told,
): Generator<LiveUpdate, void, undefined> {
  if (wanted.has('health') && health !== told.health) {
    told.health = health;
    yield { state: 'live', kind: 'health', data: health };
  }
  if (wanted.has('events') && eventsDigest !== told.eventsDigest) {
    told.eventsDigest = eventsDigest;
    yield { state: 'live', kind: 'events', data: events, digest: eventsDigest };
  }
}
