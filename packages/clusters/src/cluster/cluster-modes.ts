// The modes of clusters: what each costs and allows, and whether a cluster can be in it.
import { AppError } from '@penstock/platform';
import {
  CLUSTER_KINDS,
  formatUsdCents,
  type PriceBook,
  priceBookOn,
  quantity,
  rateClusterMinutes,
  roundInvoiceLine,
} from '@penstock/pricing';
import { formatUtcDate, HOUR_MS, MINUTE_MS } from '@penstock/units';
import type { ClusterMode } from './cluster.ts';
import type { LiveAgent } from './cluster-view.ts';

export interface ClusterModeOffer {
  mode: ClusterMode;
  /** As people read it. */
  name: string;
  usdPerMinute: string;
  /** With an agent alive for all of a month of 730 hours, e.g. `$100.74`. Writes cost the same in each mode. */
  usdPerMonth: string;
  /** Limit on uncompressed bytes. Null: not limited by the mode. */
  maxWrittenMibPerSecond: number | null;
  maxPartitions: number | null;
}

/** The recent load of a cluster, as far as modes limit it. */
export interface ClusterLoad {
  partitions: number;
  /** The greatest rate of uncompressed writes over ten seconds of the last hour. */
  writtenMibPerSecond: number;
}

/** A month of prices, as in the calculator. */
const MONTH_MINUTES = (730 * HOUR_MS) / MINUTE_MS;

const NAMES: Readonly<Record<ClusterMode, string>> = {
  dev: 'Dev',
  standard: 'Standard',
  'low-latency': 'Low latency',
};

function bookAt(now: Date): PriceBook {
  return priceBookOn(formatUtcDate(now.getTime()));
}

/** All modes, with the prices of that day. */
export function clusterModeOffers(now: Date): ClusterModeOffer[] {
  const book = bookAt(now);
  return CLUSTER_KINDS.map((mode) => ({
    mode,
    name: NAMES[mode],
    usdPerMinute: book.clusterUsdPerMinute[mode],
    usdPerMonth: formatUsdCents(roundInvoiceLine(rateClusterMinutes(book, mode, quantity(MONTH_MINUTES)))),
    maxWrittenMibPerSecond: mode === 'dev' ? book.dev.maxWrittenMibPerSecond : null,
    maxPartitions: mode === 'dev' ? book.dev.maxPartitions : null,
  }));
}

/** Why this cluster cannot be in the mode now. Null: it can. */
export function refusalOfFit(mode: ClusterMode, load: Pick<ClusterLoad, 'partitions'>, now: Date): AppError | null {
  const { maxPartitions } = bookAt(now).dev;
  if (mode !== 'dev' || load.partitions <= maxPartitions) {
    return null;
  }
  const [limit, present] = [maxPartitions, load.partitions].map((count) => count.toLocaleString('en-US'));
  return new AppError({
    kind: 'refused',
    code: 'cluster_mode_does_not_fit',
    field: 'mode',
    message: `A Dev cluster has at most ${limit} partitions. This cluster has ${present}.`,
    remedy: 'Delete topics first, or choose Standard.',
  });
}

/** The effect of the mode on clients under this load. Null: none. */
export function warningOfMode(mode: ClusterMode, load: ClusterLoad, now: Date): string | null {
  const limit = bookAt(now).dev.maxWrittenMibPerSecond;
  if (mode !== 'dev' || load.writtenMibPerSecond <= limit) {
    return null;
  }
  return `In the last hour, producers wrote up to ${load.writtenMibPerSecond.toFixed(1)} MiB/s before compression. A Dev cluster takes ${limit} MiB/s and slows them down to that.`;
}

/** The effect of the mode on clients with these agents. Null: none. */
export function warningOfAgents(
  mode: ClusterMode,
  agents: readonly Pick<LiveAgent, 'nodeId' | 'alive' | 'landingZones'>[],
): string | null {
  if (mode !== 'low-latency') {
    return null;
  }
  const alive = agents.filter((agent) => agent.alive);
  const without = alive.filter(({ landingZones }) => landingZones === null || landingZones.length === 0);
  const [first] = without;
  if (alive.length > 0 && first === undefined) {
    return null;
  }
  const remedy = 'Set --landing-bucket on all agents first.';
  if (without.length === alive.length) {
    return `No running agent has reported landing buckets. ${remedy} Until then, agents write to the standard bucket.`;
  }
  const who =
    without.length === 1
      ? `Agent ${first?.nodeId} has not reported landing buckets.`
      : `${without.length} of ${alive.length} agents have not reported landing buckets.`;
  return `${who} ${remedy} Without them, an agent can’t read what others have landed until it is merged.`;
}
