// Health and newest events of the clusters that this process' readers look at: read when the database says that there is something new,
// once for all of a cluster's readers.
import { createHash } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import type { Logger } from '@penstock/platform';
import { inTenant } from '@penstock/tenancy';
import { type EventPage, listEvents } from '../event/list-events.ts';
import { type ClusterHealth, getClusterHealth } from '../health/get-cluster-health.ts';
import type { ClusterChanges } from './cluster-changes.ts';

/** As many as a page of the feed begins with. */
export const newestEvents = 50;
/** No word tells that the worker has looked again, or that a silence has run out. */
const refresh_ms = 10_000;
/** Several words of one change are answered together. */
const gather_ms = 50;

export interface LiveRecords {
  health: ClusterHealth;
  events: EventPage;
  /** The same for the same events: what a reader has already need not be told again. */
  eventsDigest: string;
}

export interface RecordsFollower {
  /** Undefined until they are read for the first time. */
  current(): LiveRecords | undefined;
  close(): void;
}

export interface LiveRecordsFeed {
  /** Calls back when there is something new. Whether the cluster is the organization's is the caller's to know. */
  follow(of: { organizationId: string; clusterId: string }, onChange: () => void): RecordsFollower;
}

interface Feed {
  current: LiveRecords | undefined;
  followers: Set<() => void>;
  stop(): void;
}

export function createLiveRecords(services: {
  database: Database;
  clusterChanges: ClusterChanges;
  logger: Logger;
}): LiveRecordsFeed {
  const { database, clusterChanges, logger } = services;
  const feeds = new Map<string, Feed>();

  async function read(organizationId: string, clusterId: string): Promise<LiveRecords> {
    const system = { type: 'system', id: null, label: 'live records', source: 'web' } as const;
    return inTenant(database, organizationId, async (tx) => {
      const scope = { tx, organizationId, actor: system, now: new Date() };
      const health = await getClusterHealth(scope, { clusterId });
      const events = await listEvents(scope, { clusterId, limit: newestEvents });
      const ids = events.events.map(({ id }) => id).join(' ');
      return { health, events, eventsDigest: createHash('sha256').update(ids).digest('base64url').slice(0, 16) };
    });
  }

  function open(organizationId: string, clusterId: string): Feed {
    let isReading = false;
    let isAsked = false;
    let timer: NodeJS.Timeout | undefined;
    const feed: Feed = { current: undefined, followers: new Set(), stop };
    const unwatch = clusterChanges.watch(clusterId, () => look(gather_ms));
    look(0);

    function look(after_ms: number): void {
      isAsked = true;
      if (isReading) return;
      clearTimeout(timer);
      timer = setTimeout(() => void readNow(), after_ms).unref();
    }

    async function readNow(): Promise<void> {
      isReading = true;
      isAsked = false;
      try {
        feed.current = await read(organizationId, clusterId);
        for (const onChange of feed.followers) onChange();
      } catch (error) {
        // A deleted cluster ends its readers by itself; whatever else it is may be over the next time.
        logger.warn({ err: error, clusterId }, 'Health and events of a cluster cannot be read at the moment');
      }
      isReading = false;
      if (feed.followers.size > 0) {
        if (isAsked) look(gather_ms);
        else timer = setTimeout(() => void readNow(), refresh_ms).unref();
      }
    }

    function stop(): void {
      unwatch();
      clearTimeout(timer);
    }
    return feed;
  }

  return {
    follow({ organizationId, clusterId }, onChange) {
      const key = `${organizationId} ${clusterId}`;
      const feed = feeds.get(key) ?? open(organizationId, clusterId);
      feeds.set(key, feed);
      const told = (): void => onChange();
      feed.followers.add(told);
      return {
        current: () => feed.current,
        close() {
          if (!feed.followers.delete(told) || feed.followers.size > 0) return;
          feed.stop();
          if (feeds.get(key) === feed) feeds.delete(key);
        },
      };
    },
  };
}
