// Which agent key opens which virtual cluster. Answers are cached briefly, so that a revocation takes hold within three seconds.
import { parseAgentKey } from '@penstock/platform';
import type { Pool } from 'pg';

/** How long an answer of the database is trusted. */
const CACHE_TTL_MS = 1_500;
/** A key's last use is written down at most this often. */
const USE_INTERVAL_MS = 60_000;
/** Unknown keys are cached too; this bounds what a guesser can make us remember. */
const MAX_CACHED_KEYS = 10_000;

/** What a good key opens. */
export interface AgentIdentity {
  keyId: string;
  clusterId: string;
  organizationId: string;
}

export type KeyVerdict =
  | { outcome: 'good'; identity: AgentIdentity }
  | { outcome: 'malformed'; message: string }
  | { outcome: 'unknown' }
  | { outcome: 'revoked' }
  | { outcome: 'cluster-deleted' };

interface KeyRow {
  id: string;
  cluster_id: string;
  organization_id: string;
  is_revoked: boolean;
  is_deleted: boolean;
}

interface Cached {
  verdict: Promise<KeyVerdict>;
  untilMs: number;
}

export interface AgentKeysOptions {
  pool: Pool;
  monotonicMs: () => number;
  /** Writing down the last use failed. The call itself goes on. */
  onUseNotRecorded: (error: unknown) => void;
}

export class AgentKeys {
  readonly #options: AgentKeysOptions;
  readonly #cache = new Map<string, Cached>();
  readonly #usedAtMs = new Map<string, number>();

  constructor(options: AgentKeysOptions) {
    this.#options = options;
  }

  /** @throws when the database cannot be asked; nothing is cached then. */
  async verify(key: string): Promise<KeyVerdict> {
    const nowMs = this.#options.monotonicMs();
    let cached = this.#cache.get(key);
    if (cached === undefined || cached.untilMs <= nowMs) {
      if (this.#cache.size >= MAX_CACHED_KEYS) this.#cache.clear();
      cached = { verdict: this.#ask(key), untilMs: nowMs + CACHE_TTL_MS };
      this.#cache.set(key, cached);
      cached.verdict.catch(() => this.#cache.delete(key));
    }
    const verdict = await cached.verdict;
    if (verdict.outcome === 'good') this.#recordUse(verdict.identity.keyId, nowMs);
    return verdict;
  }

  async #ask(key: string): Promise<KeyVerdict> {
    const parsed = parseAgentKey(key);
    if (!parsed.ok) return { outcome: 'malformed', message: parsed.message };
    const { rows } = await this.#options.pool.query<KeyRow>({
      name: 'agent-key-by-hash',
      text: `SELECT key.id, key.cluster_id, key.organization_id, key.revoked_at IS NOT NULL AS is_revoked,
                    cluster.deleted_at IS NOT NULL AS is_deleted
             FROM agent_key AS key JOIN virtual_cluster AS cluster ON cluster.id = key.cluster_id WHERE key.hash = $1`,
      values: [Buffer.from(parsed.hash)],
    });
    const row = rows[0];
    if (row === undefined) return { outcome: 'unknown' };
    if (row.is_revoked) return { outcome: 'revoked' };
    if (row.is_deleted) return { outcome: 'cluster-deleted' };
    const identity = { keyId: row.id, clusterId: row.cluster_id, organizationId: row.organization_id };
    return { outcome: 'good', identity };
  }

  #recordUse(keyId: string, nowMs: number): void {
    const usedAtMs = this.#usedAtMs.get(keyId);
    if (usedAtMs !== undefined && nowMs - usedAtMs < USE_INTERVAL_MS) return;
    this.#usedAtMs.set(keyId, nowMs);
    this.#options.pool
      .query({
        name: 'agent-key-used',
        text: 'UPDATE agent_key SET last_used_at = now() WHERE id = $1',
        values: [keyId],
      })
      .catch(this.#options.onUseNotRecorded);
  }
}
