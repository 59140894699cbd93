// Decides which hosts agents may hand to Kafka clients, browsers and other agents. A key with addresses of its own is bound to them. For
// other keys the cluster decides: it learns new hosts, or lets them wait until somebody confirms them in the dashboard. So a leaked key
// cannot lead clients elsewhere.
import { isHostAmong, normalizedHost } from '@penstock/platform/agent-address';
import { DAY_MS, HOUR_MS } from '@penstock/units';
import type { Pool } from 'pg';
import type { AgentIdentity } from './agent-keys.ts';
import { LruCache } from './lru-cache.ts';

/** A new cluster learns hosts for this long after its first agent registered. */
export const LEARNING_MS = DAY_MS;
/** How long a host that is allowed is not looked up again. A host that waits is looked up each time, so that a confirmation works at once. */
const ALLOWED_TTL_MS = 30_000;
const MAX_ALLOWED_CACHED = 100_000;
/** How often it is written down that a host is still in use. */
const SEEN_INTERVAL_MS = HOUR_MS;
/** Hosts that wait or were refused, per cluster: the holder of a leaked key must not fill the table. */
const MAX_NOT_ALLOWED = 100;
/** Hosts that a cluster learns. A cluster beyond this needs keys with patterns. */
const MAX_LEARNED = 10_000;

export type AddressVerdict =
  | { outcome: 'allowed' }
  /** It waits for a confirmation. */
  | { outcome: 'pending'; host: string }
  /** The key has addresses, and this is not one of them. */
  | { outcome: 'refused'; host: string };

export interface AgentAddressesOptions {
  pool: Pick<Pool, 'query'>;
  monotonicMs: () => number;
  onNotRecorded: (error: unknown) => void;
}

interface AddressRow {
  learns: boolean;
  /** The window in which a new cluster learns begins with its first agent. */
  starts_window: boolean;
  state: 'learned' | 'confirmed' | 'pending' | 'refused' | null;
  is_seen: boolean;
}

const ALLOWED: AddressVerdict = { outcome: 'allowed' };

export class AgentAddresses {
  readonly #options: AgentAddressesOptions;
  /** Until when hosts are allowed without a lookup, by cluster and host. */
  readonly #allowed = new LruCache<string, number>(MAX_ALLOWED_CACHED);

  constructor(options: AgentAddressesOptions) {
    this.#options = options;
  }

  /**
   * The first of the hosts that is not allowed decides. Hosts that nobody has seen are learned or written down as pending.
   * @throws when the database is unreachable and a host is not known to be allowed
   */
  async verdict(identity: AgentIdentity, hosts: readonly string[]): Promise<AddressVerdict> {
    for (const host of new Set(hosts.map(normalizedHost))) {
      const verdict = await this.#verdictOn(identity, host);
      if (verdict.outcome !== 'allowed') {
        return verdict;
      }
    }
    return ALLOWED;
  }

  async #verdictOn(identity: AgentIdentity, host: string): Promise<AddressVerdict> {
    if (identity.addresses.length > 0) {
      if (isHostAmong(host, identity.addresses)) {
        return ALLOWED;
      }
      await this.#note(identity, host, 'refused');
      return { outcome: 'refused', host };
    }
    const cacheKey = `${identity.clusterId} ${host}`;
    const nowMs = this.#options.monotonicMs();
    const allowedUntilMs = this.#allowed.get(cacheKey);
    if (allowedUntilMs !== undefined && nowMs < allowedUntilMs) {
      return ALLOWED;
    }
    const isAllowed = await this.#lookUp(identity, host).catch((error: unknown) => {
      // An agent that was allowed until now stays: a database that is down must not end a running fleet.
      if (allowedUntilMs === undefined) {
        throw error;
      }
      return true;
    });
    if (!isAllowed) {
      this.#allowed.delete(cacheKey);
      return { outcome: 'pending', host };
    }
    this.#allowed.set(cacheKey, nowMs + ALLOWED_TTL_MS);
    return ALLOWED;
  }

  async #lookUp(identity: AgentIdentity, host: string): Promise<boolean> {
    const { clusterId } = identity;
    const { rows } = await this.#options.pool.query<AddressRow>({
      name: 'agent-address',
      text: `SELECT NOT c.confirm_agent_addresses OR c.confirm_agent_addresses_from IS NULL
                 OR now() < c.confirm_agent_addresses_from AS learns,
               c.confirm_agent_addresses AND c.confirm_agent_addresses_from IS NULL AS starts_window,
               a.state, coalesce(a.last_seen_at > now() - make_interval(secs => $3), false) AS is_seen
             FROM virtual_cluster c LEFT JOIN agent_address a ON a.cluster_id = c.id AND a.host = $2
             WHERE c.id = $1`,
      values: [clusterId, host, SEEN_INTERVAL_MS / 1_000],
    });
    const row = rows[0];
    if (row === undefined) {
      return false;
    }
    if (row.starts_window) {
      await this.#options.pool.query({
        name: 'agent-address-window',
        text: `UPDATE virtual_cluster SET confirm_agent_addresses_from = now() + make_interval(secs => $2)
               WHERE id = $1 AND confirm_agent_addresses_from IS NULL`,
        values: [clusterId, LEARNING_MS / 1_000],
      });
    }
    if (row.state === 'learned' || row.state === 'confirmed') {
      if (!row.is_seen) {
        this.#noteSeen(clusterId, host);
      }
      return true;
    }
    await this.#note(identity, host, row.learns ? 'learned' : 'pending');
    return row.learns;
  }

  /** Writes a host down. A confirmed one stays confirmed, and one that waits becomes a learned one when the cluster learns. */
  async #note({ clusterId, organizationId, keyId }: AgentIdentity, host: string, state: string): Promise<void> {
    const isAllowed = state === 'learned';
    await this.#options.pool.query({
      name: 'agent-address-note',
      text: `INSERT INTO agent_address (cluster_id, host, organization_id, state, key_id, last_seen_at)
             SELECT $1::uuid, $2::text, $3::text, $4::text, $5::uuid, now()
             WHERE EXISTS (SELECT FROM agent_address WHERE cluster_id = $1::uuid AND host = $2::text)
                OR (SELECT count(*) FROM agent_address WHERE cluster_id = $1::uuid AND state = ANY($6::text[])) < $7
             ON CONFLICT (cluster_id, host) DO UPDATE SET
               state = excluded.state, key_id = excluded.key_id, last_seen_at = excluded.last_seen_at
             WHERE agent_address.state IN ('pending', 'refused')
               AND (agent_address.state <> excluded.state OR agent_address.last_seen_at < now() - interval '1 minute')`,
      values: [
        clusterId,
        host,
        organizationId,
        state,
        keyId,
        isAllowed ? ['learned', 'confirmed'] : ['pending', 'refused'],
        isAllowed ? MAX_LEARNED : MAX_NOT_ALLOWED,
      ],
    });
  }

  #noteSeen(clusterId: string, host: string): void {
    this.#options.pool
      .query({
        name: 'agent-address-seen',
        text: 'UPDATE agent_address SET last_seen_at = now() WHERE cluster_id = $1 AND host = $2',
        values: [clusterId, host],
      })
      .catch(this.#options.onNotRecorded);
  }
}
