// Leases as rows of PostgreSQL. Its clock alone decides expiry. A row is never deleted, so epochs only grow.
import type { Pool } from 'pg';
import type { HeldLease, LeaseAttempt, LeaseOwner, Leases } from '../leases.ts';

export class PostgresLeases implements Leases {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    const taken = await this.#pool.query<{ epoch: string }>({
      name: 'lease-acquire',
      text: `INSERT INTO metadata_lease AS lease (cluster_id, owner_id, owner_url, epoch, expires_at)
             VALUES ($1, $2, $3, 1, clock_timestamp() + $4 * interval '1 millisecond')
             ON CONFLICT (cluster_id) DO UPDATE SET owner_id = excluded.owner_id, owner_url = excluded.owner_url,
               epoch = lease.epoch + 1, expires_at = excluded.expires_at
             WHERE lease.expires_at <= clock_timestamp() OR lease.owner_id = excluded.owner_id
             RETURNING lease.epoch`,
      values: [clusterId, owner.ownerId, owner.ownerUrl, ttlMs],
    });
    const row = taken.rows[0];
    if (row !== undefined) return { outcome: 'acquired', lease: { clusterId, epoch: Number(row.epoch) } };
    const held = await this.#pool.query<{ owner_url: string; expires_in_ms: number }>({
      name: 'lease-holder',
      text: `SELECT owner_url, GREATEST(0, EXTRACT(EPOCH FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in_ms
             FROM metadata_lease WHERE cluster_id = $1`,
      values: [clusterId],
    });
    const holder = held.rows[0];
    if (holder === undefined) throw new Error(`the lease of cluster ${clusterId} was deleted while it was being taken`);
    return { outcome: 'held-by-other', ownerUrl: holder.owner_url, expiresInMs: holder.expires_in_ms };
  }

  async renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<ReadonlySet<string>> {
    if (leases.length === 0) return new Set();
    const { rows } = await this.#pool.query<{ cluster_id: string }>({
      name: 'lease-renew',
      text: `UPDATE metadata_lease AS lease SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
             FROM unnest($1::uuid[], $2::bigint[]) AS held (cluster_id, epoch)
             WHERE lease.cluster_id = held.cluster_id AND lease.epoch = held.epoch AND lease.owner_id = $3
             RETURNING lease.cluster_id`,
      values: [leases.map((lease) => lease.clusterId), leases.map((lease) => lease.epoch), owner.ownerId, ttlMs],
    });
    return new Set(rows.map((row) => row.cluster_id));
  }

  async release(lease: HeldLease, owner: LeaseOwner): Promise<void> {
    await this.#pool.query({
      name: 'lease-release',
      text: `UPDATE metadata_lease SET expires_at = clock_timestamp()
             WHERE cluster_id = $1 AND epoch = $2 AND owner_id = $3`,
      values: [lease.clusterId, lease.epoch, owner.ownerId],
    });
  }
}
