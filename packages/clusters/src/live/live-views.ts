// The live views of clusters that this process' readers look at: one stream from the owner for each, however many pages follow it.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@penstock/platform';
import { type LiveClusterView, toLiveClusterView } from '../cluster/cluster-view.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

/** Before an owner that went away is asked again. */
const retryPause_ms = 1_000;
/** A reader who goes from page to page comes back to a stream that is still open. */
const defaultLinger_ms = 10_000;
/** What was just asked for is good for all parts of one page. */
const sameMoment_ms = 1_000;

/** What is known of a cluster. */
export interface LiveState {
  /** The newest; undefined until the first word from the owner. */
  view: LiveClusterView | undefined;
  /** Why there is no newer one at the moment; null while the owner answers. */
  outage: string | null;
}

export interface Follower {
  current(): LiveState;
  /** What ended it for good, e.g. that the cluster was deleted. */
  failure(): unknown;
  close(): void;
}

export interface LiveViews {
  /**
   * The cluster's view, a second old at most. Whether the cluster is the reader's is the caller's to know.
   * @throws AppError `cluster_not_found`, `metadata_unavailable`
   */
  newest(clusterId: string): Promise<LiveClusterView>;
  /** Calls back whenever there is something new. An owner that goes away is waited for. */
  follow(clusterId: string, onChange: () => void): Follower;
  close(): void;
}

interface Feed {
  current: LiveState;
  failure: unknown;
  followers: Set<() => void>;
  ending: AbortController;
  linger: NodeJS.Timeout | undefined;
}

/** Connects with the first question. */
export function createLiveViews(
  metadata: Pick<MetadataAdmin, 'getClusterView' | 'watchClusterView'>,
  { linger_ms = defaultLinger_ms }: { linger_ms?: number } = {},
): LiveViews {
  const feeds = new Map<string, Feed>();
  const asked = new Map<string, Promise<LiveClusterView>>();

  function tell(feed: Feed): void {
    for (const onChange of feed.followers) onChange();
  }

  function drop(clusterId: string, feed: Feed): void {
    if (feeds.get(clusterId) === feed) feeds.delete(clusterId);
    feed.ending.abort();
  }

  async function run(clusterId: string, feed: Feed): Promise<void> {
    const { signal } = feed.ending;
    while (!signal.aborted) {
      try {
        for await (const view of metadata.watchClusterView(clusterId, signal)) {
          feed.current = { view: toLiveClusterView(view), outage: null };
          tell(feed);
        }
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'unavailable') {
          feed.failure = error;
          drop(clusterId, feed);
          tell(feed);
          return;
        }
        const isNews = feed.current.outage === null;
        feed.current = { ...feed.current, outage: error.message };
        if (isNews) tell(feed);
      }
      await pause(retryPause_ms, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  function feedOf(clusterId: string): Feed {
    const known = feeds.get(clusterId);
    if (known !== undefined) return known;
    const feed: Feed = {
      current: { view: undefined, outage: null },
      failure: undefined,
      followers: new Set(),
      ending: new AbortController(),
      linger: undefined,
    };
    feeds.set(clusterId, feed);
    void run(clusterId, feed);
    return feed;
  }

  return {
    async newest(clusterId) {
      const current = feeds.get(clusterId)?.current;
      if (current?.view !== undefined && current.outage === null) return current.view;
      const known = asked.get(clusterId);
      if (known !== undefined) return known;
      const answer = metadata.getClusterView(clusterId).then(toLiveClusterView);
      asked.set(clusterId, answer);
      const forget = (): void => {
        asked.delete(clusterId);
      };
      answer.then(() => setTimeout(forget, sameMoment_ms).unref(), forget);
      return answer;
    },
    follow(clusterId, onChange) {
      const feed = feedOf(clusterId);
      clearTimeout(feed.linger);
      // Of its own, so that one who follows twice is told twice and ends one at a time.
      const told = (): void => onChange();
      feed.followers.add(told);
      return {
        current: () => feed.current,
        failure: () => feed.failure,
        close() {
          if (!feed.followers.delete(told) || feed.followers.size > 0) return;
          if (linger_ms === 0) drop(clusterId, feed);
          else feed.linger = setTimeout(() => drop(clusterId, feed), linger_ms).unref();
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
