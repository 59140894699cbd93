// Cluster views from their owners: one stream per cluster, however many subscribers it has.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@penstock/platform';
import { type LiveClusterView, toLiveClusterView } from '../cluster/cluster-view.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

/** The pause before reconnecting to an owner that went away. */
const RETRY_PAUSE_MS = 1_000;
/** How long a stream stays open without subscribers, for users who move from page to page. */
const LINGER_MS = 10_000;
/** How long the parts of one page share an answer. */
const SHARED_ANSWER_MS = 1_000;

/** The known state of a cluster. */
export interface OwnerState {
  /** The newest view; undefined before the owner's first message. */
  view: LiveClusterView | undefined;
  /** Why there is no newer view; null while the owner answers. */
  outage: string | null;
}

export interface ViewSubscription {
  current(): OwnerState;
  /** The error that ended it permanently, for example the deletion of the cluster. */
  failure(): unknown;
  close(): void;
}

export interface OwnerViews {
  /**
   * The cluster's view, at most one second old. The caller checks access.
   * @throws AppError `cluster_not_found`, `metadata_unavailable`
   */
  snapshot(clusterId: string): Promise<LiveClusterView>;
  /** Calls back after each change. If the owner goes away, waits for it. */
  subscribe(clusterId: string, onChange: () => void): ViewSubscription;
  close(): void;
}

interface Feed {
  current: OwnerState;
  failure: unknown;
  subscribers: Set<() => void>;
  ending: AbortController;
  linger: NodeJS.Timeout | undefined;
}

/** Connects with the first request. */
export function createOwnerViews(
  metadata: Pick<MetadataAdmin, 'getClusterView' | 'watchClusterView'>,
  { lingerMs = LINGER_MS }: { lingerMs?: number } = {},
): OwnerViews {
  const feeds = new Map<string, Feed>();
  const asked = new Map<string, Promise<LiveClusterView>>();

  function notify(feed: Feed): void {
    for (const onChange of feed.subscribers) {
      onChange();
    }
  }

  function drop(clusterId: string, feed: Feed): void {
    if (feeds.get(clusterId) === feed) {
      feeds.delete(clusterId);
    }
    feed.ending.abort();
  }

  async function run(clusterId: string, feed: Feed): Promise<void> {
    const { signal } = feed.ending;
    while (!signal.aborted) {
      try {
        for await (const view of metadata.watchClusterView(clusterId, signal)) {
          feed.current = { view: toLiveClusterView(view), outage: null };
          notify(feed);
        }
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'unavailable') {
          feed.failure = error;
          drop(clusterId, feed);
          notify(feed);
          return;
        }
        const isNew = feed.current.outage === null;
        feed.current = { ...feed.current, outage: error.message };
        if (isNew) {
          notify(feed);
        }
      }
      await pause(RETRY_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  function feedOf(clusterId: string): Feed {
    const known = feeds.get(clusterId);
    if (known !== undefined) {
      return known;
    }
    const feed: Feed = {
      current: { view: undefined, outage: null },
      failure: undefined,
      subscribers: new Set(),
      ending: new AbortController(),
      linger: undefined,
    };
    feeds.set(clusterId, feed);
    void run(clusterId, feed);
    return feed;
  }

  return {
    async snapshot(clusterId) {
      const current = feeds.get(clusterId)?.current;
      if (current?.view !== undefined && current.outage === null) {
        return current.view;
      }
      const known = asked.get(clusterId);
      if (known !== undefined) {
        return known;
      }
      const answer = metadata.getClusterView(clusterId).then(toLiveClusterView);
      asked.set(clusterId, answer);
      const forget = (): void => {
        asked.delete(clusterId);
      };
      answer.then(() => setTimeout(forget, SHARED_ANSWER_MS).unref(), forget);
      return answer;
    },
    subscribe(clusterId, onChange) {
      const feed = feedOf(clusterId);
      clearTimeout(feed.linger);
      // A new function for each call, so that two subscriptions with the same callback can end separately.
      const subscriber = (): void => onChange();
      feed.subscribers.add(subscriber);
      return {
        current: () => feed.current,
        failure: () => feed.failure,
        close() {
          if (!feed.subscribers.delete(subscriber) || feed.subscribers.size > 0) {
            return;
          }
          if (lingerMs === 0) {
            drop(clusterId, feed);
          } else {
            feed.linger = setTimeout(() => drop(clusterId, feed), lingerMs).unref();
          }
        },
      };
    },
    close() {
      for (const [clusterId, feed] of feeds) {
        clearTimeout(feed.linger);
        drop(clusterId, feed);
      }
    },
  };
}
