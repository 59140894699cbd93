// Health and newest events of clusters, read once for all subscribers of a cluster after each change notification.
import { createHash } from 'node:crypto';
import type { Database } from '@penstock/database/client';
import type { Logger } from '@penstock/platform';
import { inTenant, keyedChannel, type Notifications } from '@penstock/tenancy';
import { type EventPage, listEvents } from '../event/list-events.ts';
import { type ClusterHealth, getClusterHealth } from '../health/get-cluster-health.ts';

/** Keyed by cluster id. The triggers of the migration `cluster_announced` use this name. */
const CHANNEL = 'penstock_cluster_changed';
/** As many as the first page of the feed shows. */
const NEWEST_EVENTS = 50;
/** There is no notification when the worker has checked again, or when a silence expires. */
const REFRESH_MS = 10_000;
/** Notifications within this time cause one read. */
const GATHER_MS = 50;

export interface ClusterRecords {
  health: ClusterHealth;
  events: EventPage;
  /** Equal for equal events, so that a reader does not receive them twice. */
  eventsDigest: string;
}

export interface RecordsSubscription {
  /** Undefined before the first read. */
  current(): ClusterRecords | undefined;
  close(): void;
}

export interface ClusterRecordsFeed {
  /** Calls back after each change. The caller checks that the cluster belongs to the organization. */
  subscribe(of: { organizationId: string; clusterId: string }, onChange: () => void): RecordsSubscription;
}

interface Feed {
  current: ClusterRecords | undefined;
  subscribers: Set<() => void>;
  stop(): void;
}

export function createClusterRecords(services: {
  database: Database;
  notifications: Notifications;
  logger: Logger;
}): ClusterRecordsFeed {
  const { database, notifications, logger } = services;
  const changes = keyedChannel(notifications, CHANNEL);
  const feeds = new Map<string, Feed>();

  async function read(organizationId: string, clusterId: string): Promise<ClusterRecords> {
    const system = { type: 'system', id: null, label: 'live records', source: 'web' } as const;
    return inTenant(database, organizationId, async (tx) => {
      const scope = { tx, organizationId, actor: system, now: new Date() };
      const health = await getClusterHealth(scope, { clusterId });
      const events = await listEvents(scope, { clusterId, limit: NEWEST_EVENTS });
      const ids = events.events.map(({ id }) => id).join(' ');
      return { health, events, eventsDigest: createHash('sha256').update(ids).digest('base64url').slice(0, 16) };
    });
  }

  function open(organizationId: string, clusterId: string): Feed {
    let isReading = false;
    let isAsked = false;
    let timer: NodeJS.Timeout | undefined;
    const feed: Feed = { current: undefined, subscribers: new Set(), stop };
    const unwatch = changes.watch(clusterId, () => readSoon(GATHER_MS));
    readSoon(0);

    function readSoon(afterMs: number): void {
      isAsked = true;
      if (isReading) {
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(() => void readNow(), afterMs).unref();
    }

    async function readNow(): Promise<void> {
      isReading = true;
      isAsked = false;
      try {
        feed.current = await read(organizationId, clusterId);
        for (const onChange of feed.subscribers) {
          onChange();
        }
      } catch (error) {
        // The subscriptions of a deleted cluster end elsewhere. Any other error may be gone at the next read.
        logger.warn({ err: error, clusterId }, 'Health and events of a cluster cannot be read at the moment');
      }
      isReading = false;
      if (feed.subscribers.size > 0) {
        if (isAsked) {
          readSoon(GATHER_MS);
        } else {
          timer = setTimeout(() => void readNow(), REFRESH_MS).unref();
        }
      }
    }

    function stop(): void {
      unwatch();
      clearTimeout(timer);
    }
    return feed;
  }

  return {
    subscribe({ organizationId, clusterId }, onChange) {
      const key = `${organizationId} ${clusterId}`;
      const feed = feeds.get(key) ?? open(organizationId, clusterId);
      feeds.set(key, feed);
      const subscriber = (): void => onChange();
      feed.subscribers.add(subscriber);
      return {
        current: () => feed.current,
        close() {
          if (!feed.subscribers.delete(subscriber) || feed.subscribers.size > 0) {
            return;
          }
          feed.stop();
          if (feeds.get(key) === feed) {
            feeds.delete(key);
          }
        },
      };
    },
  };
}
