// Maps agent keys to virtual clusters. Answers are cached briefly, so a revocation takes effect within three seconds. A flood of unknown
// keys cannot crowd out valid ones: malformed keys are refused without the database, and lookups of unknown keys are limited per address
// and in number. A key that this process has seen valid is never delayed, and unknown keys cannot evict it from the cache.
import { parseAgentKey } from '@penstock/platform';
import { type AgentKeyScope, agentKeyScopeOf } from '@penstock/platform/agent-key-scope';
import { addressNetwork, alertNetwork, isAmong } from '@penstock/platform/client-address';
import type { Pool } from 'pg';
import { AddressBudget } from './address-budget.ts';
import { LruCache } from './lru-cache.ts';

/** How long an answer from the database is cached. */
const CACHE_TTL_MS = 1_500;
/** A valid key that is in use is looked up again this long before its answer expires, so that no call waits for it. */
const REFRESH_MS = 500;
/** A key's last use is recorded at most this often. */
const USE_INTERVAL_MS = 60_000;
/** Valid keys to cache: an upper bound for the agents, each with its own key, that call one process. */
const MAX_GOOD_KEYS = 100_000;
/** Keys to cache that are refused: unknown, revoked, or of a deleted cluster. */
const MAX_BAD_KEYS = 10_000;
/** Concurrent lookups of keys not seen valid yet. Fewer than the connections for keys, so that valid keys find a free one. */
const MAX_LOOKUPS_IN_FLIGHT = 2;
/** Networks of a key that are written down, used and refused ones together, and remembered by each process. */
const MAX_NETWORKS = 200;
/** Lookups that may wait for a place: enough for the agents of all clusters of a process that died. */
const MAX_LOOKUPS_WAITING = 5_000;

/** Stands for an address that no hop recorded. */
const UNKNOWN = 'unknown';

/** The cluster that a valid key gives access to. */
export interface AgentIdentity {
  keyId: string;
  clusterId: string;
  organizationId: string;
  /** The organization has a payment method, or has paid an invoice. */
  isPaying: boolean;
  /** CIDR ranges that the key may be used from; empty: any. */
  networks: readonly string[];
  /** Patterns of the hosts that the key's agents may advertise; empty: the cluster's settings decide. */
  addresses: readonly string[];
  /** Why the organization is suspended, when its consumers may not read either. */
  suspendedReason: string | null;
  /** The permissions of the key. Undefined for a scope that only a later release knows, which permits nothing. */
  scope: AgentKeyScope | undefined;
  /** Whether the cluster lets agents change users, ACLs and quotas for clients that have proved nothing to the service. */
  mayAdminister: boolean;
}

export type KeyVerdict =
  | { outcome: 'good'; identity: AgentIdentity }
  | { outcome: 'malformed'; message: string }
  | { outcome: 'unknown' }
  | { outcome: 'revoked' }
  | { outcome: 'expired' }
  /** The key is good, but not for this address. */
  | { outcome: 'wrong-network'; address: string }
  | { outcome: 'cluster-deleted' }
  /** The key is good, but its organization is suspended, reads included. */
  | { outcome: 'suspended'; reason: string }
  /** Not looked up: this address has had too many unknown keys looked up. */
  | { outcome: 'throttled'; retryAfterMs: number }
  /** Not looked up: too many other lookups are waiting. */
  | { outcome: 'busy' };

interface KeyRow {
  id: string;
  cluster_id: string;
  organization_id: string;
  is_revoked: boolean;
  is_expired: boolean;
  is_deleted: boolean;
  is_paying: boolean;
  suspended_reason: string | null;
  networks: string[];
  addresses: string[];
  scope: string;
  may_administer: boolean;
}

interface Cached<Verdict extends KeyVerdict = KeyVerdict> {
  verdict: Verdict;
  untilMs: number;
}

type GoodKey = Cached<Extract<KeyVerdict, { outcome: 'good' }>> & {
  usedAtMs: number;
  /** Networks that this process has written down. */
  seen: Set<string>;
};

export interface AgentKeysOptions {
  pool: Pick<Pool, 'query'>;
  monotonicMs: () => number;
  /** Recording the last use failed. The call itself continues. */
  onUseNotRecorded: (error: unknown) => void;
  addressBudget?: AddressBudget;
}

/** Counts of keys, for metrics. */
export interface KeyCounts {
  readonly lookups: number;
  readonly throttled: number;
  readonly busy: number;
  /** Keys whose answers are cached. */
  readonly remembered: number;
}

export class AgentKeys {
  readonly #options: AgentKeysOptions;
  readonly #budget: AddressBudget;
  readonly #good = new LruCache<string, GoodKey>(MAX_GOOD_KEYS);
  readonly #bad = new LruCache<string, Cached>(MAX_BAD_KEYS);
  /** Lookups in flight. Calls with the same key share one. */
  readonly #asking = new Map<string, Promise<KeyVerdict>>();
  readonly #waiting: (() => void)[] = [];
  #lookupsInFlight = 0;
  readonly #counts = { lookups: 0, throttled: 0, busy: 0 };

  constructor(options: AgentKeysOptions) {
    this.#options = options;
    this.#budget = options.addressBudget ?? new AddressBudget();
  }

  get counts(): KeyCounts {
    return { ...this.#counts, remembered: this.#good.size + this.#bad.size };
  }

  /**
   * @param address returns the caller's IP address, or `unknown`
   * @throws when the database is unreachable; nothing is cached then
   */
  async verify(key: string, address: () => string): Promise<KeyVerdict> {
    const parsed = parseAgentKey(key);
    if (!parsed.ok) {
      return { outcome: 'malformed', message: parsed.message };
    }
    const nowMs = this.#options.monotonicMs();
    const good = this.#good.get(key);
    const cached = good ?? this.#bad.get(key);
    if (cached !== undefined && nowMs < cached.untilMs) {
      if (good !== undefined && nowMs >= good.untilMs - REFRESH_MS) {
        // When it fails, a call asks again once the answer has expired.
        this.#ask(key, nowMs, () => this.#lookUp(parsed.hash)).catch(() => undefined);
      }
      return this.#used(key, cached.verdict, address, nowMs);
    }
    const lookUp = (): Promise<KeyVerdict> =>
      good === undefined
        ? this.#lookUpStranger(addressNetwork(address()), parsed.hash, nowMs)
        : this.#lookUp(parsed.hash);
    return this.#used(key, await this.#ask(key, nowMs, lookUp), address, nowMs);
  }

  /** The keys of a cluster that serve consumers only. Not cached. */
  async readOnlyKeys(clusterId: string): Promise<ReadonlySet<string>> {
    const { rows } = await this.#options.pool.query<{ id: string }>({
      name: 'read-only-agent-keys',
      text: `SELECT id FROM agent_key WHERE cluster_id = $1 AND scope = 'read_only'`,
      values: [clusterId],
    });
    return new Set(rows.map(({ id }) => id));
  }

  /** Joins the lookup of this key that is under way, or starts one. */
  #ask(key: string, nowMs: number, lookUp: () => Promise<KeyVerdict>): Promise<KeyVerdict> {
    const underWay = this.#asking.get(key);
    if (underWay !== undefined) {
      return underWay;
    }
    const asking = lookUp()
      .then((verdict) => {
        this.#remember(key, verdict, nowMs);
        return verdict;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  #remember(key: string, verdict: KeyVerdict, nowMs: number): void {
    const untilMs = nowMs + CACHE_TTL_MS;
    switch (verdict.outcome) {
      case 'good':
        this.#bad.delete(key);
        this.#good.set(key, {
          verdict,
          untilMs,
          usedAtMs: this.#good.get(key)?.usedAtMs ?? Number.NEGATIVE_INFINITY,
          seen: this.#good.get(key)?.seen ?? new Set(),
        });
        return;
      case 'unknown':
      case 'revoked':
      case 'expired':
      case 'cluster-deleted':
        this.#good.delete(key);
        this.#bad.set(key, { verdict, untilMs });
        return;
      case 'malformed':
      case 'wrong-network':
      case 'suspended':
      case 'throttled':
      case 'busy':
        return;
    }
  }

  /** Looks up a key that this process has not seen valid yet. */
  async #lookUpStranger(address: string, hash: Uint8Array, nowMs: number): Promise<KeyVerdict> {
    if (this.#waiting.length >= MAX_LOOKUPS_WAITING) {
      this.#counts.busy += 1;
      return { outcome: 'busy' };
    }
    const retryAfterMs = this.#budget.take(address, nowMs);
    if (retryAfterMs > 0) {
      this.#counts.throttled += 1;
      return { outcome: 'throttled', retryAfterMs };
    }
    if (this.#lookupsInFlight >= MAX_LOOKUPS_IN_FLIGHT) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#lookupsInFlight += 1;
    }
    try {
      const verdict = await this.#lookUp(hash);
      if (verdict.outcome === 'good') {
        this.#budget.refund(address);
      }
      return verdict;
    } finally {
      // The longest waiting lookup gets the place; without one, the place is free.
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#lookupsInFlight -= 1;
      } else {
        next();
      }
    }
  }

  async #lookUp(hash: Uint8Array): Promise<KeyVerdict> {
    this.#counts.lookups += 1;
    const { rows } = await this.#options.pool.query<KeyRow>({
      name: 'agent-key-by-hash',
      text: `SELECT key.id, key.cluster_id, key.organization_id, key.revoked_at IS NOT NULL AS is_revoked,
                    coalesce(key.expires_at <= now(), false) AS is_expired,
                    coalesce(key.networks, '{}') AS networks, coalesce(key.addresses, '{}') AS addresses, key.scope,
                    cluster.allow_agent_administration AS may_administer,
                    cluster.deleted_at IS NOT NULL AS is_deleted,
                    EXISTS (SELECT FROM billing_account WHERE organization_id = key.organization_id
                              AND stripe_payment_method_id IS NOT NULL)
                      OR EXISTS (SELECT FROM invoice WHERE organization_id = key.organization_id
                                   AND kind = 'invoice' AND status = 'paid' AND amount_paid_usd > 0) AS is_paying,
                    suspension.reason AS suspended_reason
             FROM agent_key AS key JOIN virtual_cluster AS cluster ON cluster.id = key.cluster_id
             LEFT JOIN organization_suspension AS suspension
               ON suspension.organization_id = key.organization_id AND NOT suspension.reads_allowed
             WHERE key.hash = $1`,
      values: [Buffer.from(hash)],
    });
    const row = rows[0];
    if (row === undefined) {
      return { outcome: 'unknown' };
    }
    if (row.is_revoked) {
      return { outcome: 'revoked' };
    }
    if (row.is_expired) {
      return { outcome: 'expired' };
    }
    if (row.is_deleted) {
      return { outcome: 'cluster-deleted' };
    }
    const { id: keyId, cluster_id: clusterId, organization_id: organizationId, networks, addresses } = row;
    const { is_paying: isPaying, suspended_reason: suspendedReason } = row;
    const [scope, mayAdminister] = [agentKeyScopeOf(row.scope), row.may_administer];
    const limits = { networks, addresses, scope, mayAdminister, suspendedReason };
    const identity = { keyId, clusterId, organizationId, isPaying, ...limits };
    return { outcome: 'good', identity };
  }

  #used(key: string, verdict: KeyVerdict, address: () => string, nowMs: number): KeyVerdict {
    const good = verdict.outcome === 'good' ? this.#good.get(key) : undefined;
    if (good === undefined) {
      return verdict;
    }
    const { networks, keyId, suspendedReason } = good.verdict.identity;
    const from = address();
    const isRefused = networks.length > 0 && !isAmong(from, networks);
    this.#noteNetwork(good, from, isRefused);
    if (isRefused) {
      return { outcome: 'wrong-network', address: from };
    }
    if (suspendedReason !== null) {
      return { outcome: 'suspended', reason: suspendedReason };
    }
    if (nowMs - good.usedAtMs >= USE_INTERVAL_MS) {
      good.usedAtMs = nowMs;
      this.#write('agent-key-used', 'UPDATE agent_key SET last_used_at = now(), last_address = $2 WHERE id = $1', [
        keyId,
        from === UNKNOWN ? null : from,
      ]);
    }
    return verdict;
  }

  /** Writes a network down when this process sees the key there for the first time. The worker alerts owners to new ones. */
  #noteNetwork(good: GoodKey, address: string, isRefused: boolean): void {
    if (address === UNKNOWN || good.seen.size >= MAX_NETWORKS) {
      return;
    }
    const network = alertNetwork(address);
    const seen = `${isRefused ? 'refused' : 'used'} ${network}`;
    if (good.seen.has(seen)) {
      return;
    }
    good.seen.add(seen);
    const { keyId, organizationId } = good.verdict.identity;
    this.#write(
      'agent-key-network',
      // The first network that a key is used from is no news.
      `INSERT INTO agent_key_network (key_id, network, is_refused, organization_id, address, announced_at)
       SELECT $1::uuid, $2::text, $3::boolean, $4::text, $5::text, CASE WHEN NOT $3::boolean AND known.used = 0 THEN now() END
       FROM (SELECT count(*) AS total, count(*) FILTER (WHERE NOT is_refused) AS used
             FROM agent_key_network WHERE key_id = $1::uuid) AS known
       WHERE known.total < ${MAX_NETWORKS}
       ON CONFLICT (key_id, network, is_refused) DO NOTHING`,
      [keyId, network, isRefused, organizationId, address],
      () => good.seen.delete(seen),
    );
  }

  #write(name: string, text: string, values: unknown[], onFailed?: () => void): void {
    this.#options.pool.query({ name, text, values }).catch((error: unknown) => {
      onFailed?.();
      this.#options.onUseNotRecorded(error);
    });
  }
}
