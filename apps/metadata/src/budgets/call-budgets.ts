// What one cluster, and one agent key of it, may ask of this process per second. The budgets stop runaway agents and leaked keys; they are
// far above what the largest clusters need. `FairQueue` shares the processor among clusters that stay within them. An organization without a
// payment method has a smaller budget for all its clusters together, and all such organizations have one budget together.
import type { AgentIdentity } from '../auth/agent-keys.ts';
import { LruCache } from '../auth/lru-cache.ts';
import { DebtBucket } from './debt-bucket.ts';

/** Per second. A key gets `KEY_SHARE` of each. */
export interface Budget {
  /** All calls of agents but those of `UPKEEP`. */
  calls: number;
  /** CommitFile. Bounds the answers that the cluster remembers for a quarter of an hour. */
  commits: number;
  /** Record batches in these commits. */
  batches: number;
}

/**
 * A cluster that writes 1 GiB/s needs 69 commits per second of full files (15 MiB), or 400 from 100 agents that each flush every 250 ms.
 * With batches of 16 KiB these name 65,536 batches per second. 10,000 consumers send 3,300 heartbeats and 2,000 offset commits per second.
 * The budgets of commits and batches are twice that and no more: they decide how much of the one thread a single tenant can take.
 */
export const DEFAULT_BUDGET: Budget = { calls: 10_000, commits: 800, batches: 132_000 };

/** Leaves the other keys of the cluster a fifth when one of them is flooding. */
const KEY_SHARE = 0.8;
/** Share of the default budget for all clusters of an organization without a payment method together. */
const TRIAL_SHARE = 0.25;
/** Seconds of budget that can be saved up, because agents all reconnect at once after a takeover. */
const BURST_S = 2;
/** Calls that keep agents alive have a budget of their own, so that a flood of others does not make agents appear dead. */
const UPKEEP: ReadonlySet<string> = new Set(['RegisterAgent', 'AgentHeartbeat', 'DeregisterAgent']);
const UPKEEP_SHARE = 0.1;
const COMMIT = 'CommitFile';
/** Clusters and keys to remember, at about 500 bytes each. Only authenticated callers get here. */
const MAX_CLUSTERS = 20_000;
const MAX_KEYS = 100_000;
const MAX_TRIAL_ORGANIZATIONS = 20_000;

/** About what a batch takes in a request: 24 bytes in commits of one batch per run, and 12 to 20 with more. */
const BYTES_PER_BATCH = 20;
/** Expected of a commit of unknown size. */
const USUAL_BATCHES = 1_000;
/** The most that a commit is charged before it is read, so that one whose body never arrives does not cost seconds. */
const MAX_EXPECTED_BATCHES = 50_000;

/**
 * How many batches a commit probably has.
 * @param contentLength of the request, as in its header; null when it has none
 */
export function expectedBatches(contentLength: string | null): number {
  const bytes = contentLength === null ? Number.NaN : Number(contentLength);
  return Number.isSafeInteger(bytes)
    ? Math.min(Math.ceil(bytes / BYTES_PER_BATCH), MAX_EXPECTED_BATCHES)
    : USUAL_BATCHES;
}

export function trialBudgetOf({ calls, commits, batches }: Budget): Budget {
  const share = (perSecond: number): number => Math.max(1, Math.floor(perSecond * TRIAL_SHARE));
  return { calls: share(calls), commits: share(commits), batches: share(batches) };
}

export type BudgetCaller = Pick<AgentIdentity, 'clusterId' | 'keyId' | 'organizationId' | 'isPaying'>;

interface Buckets {
  upkeep: DebtBucket;
  calls: DebtBucket;
  commits: DebtBucket;
  batches: DebtBucket;
}

export interface BudgetSettings {
  default: Budget;
  /** The budget of an organization without a payment method, for all its clusters without a budget of their own. */
  trial: Budget;
  /** By the cluster's id. */
  clusters: ReadonlyMap<string, Budget>;
}

export class CallBudgets {
  readonly #settings: BudgetSettings;
  readonly #monotonicMs: () => number;
  readonly #clusters = new LruCache<string, Buckets>(MAX_CLUSTERS);
  readonly #keys = new LruCache<string, Buckets>(MAX_KEYS);
  readonly #trials = new LruCache<string, Buckets>(MAX_TRIAL_ORGANIZATIONS);
  /**
   * The buckets of all organizations without a payment method together. Upkeep is not counted, so that none makes the
   * agents of others appear dead.
   */
  readonly #allTrials: Buckets;
  #refused = 0;

  constructor(settings: BudgetSettings, monotonicMs: () => number) {
    this.#settings = settings;
    this.#monotonicMs = monotonicMs;
    const nowMs = monotonicMs();
    const unlimited = new DebtBucket(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, nowMs);
    this.#allTrials = { ...bucketsFor(settings.default, 1, nowMs), upkeep: unlimited };
  }

  /** Calls that were refused because they were over a budget; for metrics. */
  get refused(): number {
    return this.#refused;
  }

  noteRefusal(): void {
    this.#refused += 1;
  }

  /** @returns 0, or the number of milliseconds after which such a call can be admitted */
  waitMs(caller: BudgetCaller, method: string): number {
    const nowMs = this.#monotonicMs();
    let waitMs = 0;
    for (const buckets of this.#bucketsOf(caller, nowMs)) {
      for (const bucket of concerned(buckets, method)) {
        waitMs = Math.max(waitMs, bucket.waitMs(nowMs));
      }
    }
    return waitMs;
  }

  /**
   * Charges one call.
   * @param method its name in the contract
   * @param expectedBatches of a commit whose body has not arrived. Calls that arrive together are charged one by one, so a flood is
   *   admitted at an even rate, not in bursts.
   * @returns 0, or the number of milliseconds after which the caller may try again; nothing is charged then
   */
  admit(caller: BudgetCaller, method: string, expectedBatches = 0): number {
    const waitMs = this.waitMs(caller, method);
    if (waitMs > 0) {
      return waitMs;
    }
    const nowMs = this.#monotonicMs();
    for (const buckets of this.#bucketsOf(caller, nowMs)) {
      for (const bucket of concerned(buckets, method)) {
        bucket.spend(bucket === buckets.batches ? expectedBatches : 1, nowMs);
      }
    }
    return 0;
  }

  /**
   * Corrects the charge of a commit that was admitted.
   * @param batches that it has beyond those that were expected; negative: that it lacks
   */
  chargeBatches(caller: BudgetCaller, batches: number): void {
    const nowMs = this.#monotonicMs();
    for (const buckets of this.#bucketsOf(caller, nowMs)) {
      buckets.batches.spend(batches, nowMs);
    }
  }

  #bucketsOf({ clusterId, keyId, organizationId, isPaying }: BudgetCaller, nowMs: number): readonly Buckets[] {
    const own = this.#settings.clusters.get(clusterId);
    const budget = own ?? this.#settings.default;
    const ofCluster = remembered(this.#clusters, clusterId, () => bucketsFor(budget, 1, nowMs));
    const ofKey = remembered(this.#keys, keyId, () => bucketsFor(budget, KEY_SHARE, nowMs));
    if (isPaying || own !== undefined) {
      return [ofCluster, ofKey];
    }
    const ofTrial = remembered(this.#trials, organizationId, () => bucketsFor(this.#settings.trial, 1, nowMs));
    return [ofCluster, ofKey, ofTrial, this.#allTrials];
  }
}

function remembered(cache: LruCache<string, Buckets>, key: string, make: () => Buckets): Buckets {
  let buckets = cache.get(key);
  if (buckets === undefined) {
    buckets = make();
    cache.set(key, buckets);
  }
  return buckets;
}

function bucketsFor({ calls, commits, batches }: Budget, share: number, nowMs: number): Buckets {
  const bucket = (perSecond: number): DebtBucket =>
    new DebtBucket(perSecond * share, perSecond * share * BURST_S, nowMs);
  return {
    upkeep: bucket(calls * UPKEEP_SHARE),
    calls: bucket(calls),
    commits: bucket(commits),
    batches: bucket(batches),
  };
}

/** Calls of one kind are charged to the same budgets. */
export function budgetKind(method: string): 'upkeep' | 'commit' | 'call' {
  if (UPKEEP.has(method)) {
    return 'upkeep';
  }
  return method === COMMIT ? 'commit' : 'call';
}

function concerned({ upkeep, calls, commits, batches }: Buckets, method: string): DebtBucket[] {
  switch (budgetKind(method)) {
    case 'upkeep':
      return [upkeep];
    case 'commit':
      return [calls, commits, batches];
    case 'call':
      return [calls];
  }
}
