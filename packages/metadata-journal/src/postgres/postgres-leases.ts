// Leases as rows of PostgreSQL. Its clock alone decides expiry. A row is never deleted, so epochs only grow.
import type { Pool } from 'pg';
import type { HeldLease, LeaseAttempt, LeaseOwner, Leases, Renewal } from '../leases.ts';

interface HolderRow {
  owner_url: string;
  expires_in_ms: number;
  placement: 'here' | 'leaving' | 'left' | 'arriving';
  other_cell: string | null;
}

export class PostgresLeases implements Leases {
  readonly #pool: Pool;
  readonly #cell: string;

  /** @param cell the name of this database */
  constructor(pool: Pool, cell = 'main') {
    this.#pool = pool;
    this.#cell = cell;
  }

  async acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    // A move that was given up leaves 'leaving' behind, which ends by itself.
    const taken = await this.#pool.query<{ epoch: string }>({
      name: 'lease-acquire',
      text: `INSERT INTO metadata_lease AS lease (cluster_id, owner_id, owner_url, epoch, expires_at)
             VALUES ($1, $2, $3, 1, clock_timestamp() + $4 * interval '1 millisecond')
             ON CONFLICT (cluster_id) DO UPDATE SET owner_id = excluded.owner_id, owner_url = excluded.owner_url,
               epoch = lease.epoch + 1, expires_at = excluded.expires_at, placement = 'here', leaving_until = NULL
             WHERE (lease.expires_at <= clock_timestamp() OR lease.owner_id = excluded.owner_id)
               AND (lease.placement = 'here' OR lease.placement = 'leaving' AND lease.leaving_until <= clock_timestamp())
             RETURNING lease.epoch`,
      values: [clusterId, owner.ownerId, owner.ownerUrl, ttlMs],
    });
    const row = taken.rows[0];
    if (row !== undefined) {
      return { outcome: 'acquired', lease: { clusterId, epoch: Number(row.epoch), cell: this.#cell } };
    }
    const held = await this.#pool.query<HolderRow>({
      name: 'lease-holder',
      text: `SELECT owner_url, GREATEST(0, EXTRACT(EPOCH FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in_ms,
               placement, other_cell
             FROM metadata_lease WHERE cluster_id = $1`,
      values: [clusterId],
    });
    const holder = held.rows[0];
    if (holder === undefined) throw new Error(`the lease of cluster ${clusterId} was deleted while it was being taken`);
    if (holder.placement === 'left') return { outcome: 'moved', toCell: holder.other_cell ?? '' };
    // A mover has no address.
    if (holder.owner_url === '' || (holder.placement === 'leaving' && holder.expires_in_ms === 0)) {
      return { outcome: 'moving' };
    }
    return { outcome: 'held-by-other', ownerUrl: holder.owner_url, expiresInMs: holder.expires_in_ms };
  }

  async renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal> {
    if (leases.length === 0) return { held: new Set(), leaving: new Set() };
    const { rows } = await this.#pool.query<{ cluster_id: string; is_leaving: boolean }>({
      name: 'lease-renew',
      text: `UPDATE metadata_lease AS lease SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
             FROM unnest($1::uuid[], $2::bigint[]) AS held (cluster_id, epoch)
             WHERE lease.cluster_id = held.cluster_id AND lease.epoch = held.epoch AND lease.owner_id = $3
             RETURNING lease.cluster_id, lease.placement = 'leaving' AS is_leaving`,
      values: [leases.map((lease) => lease.clusterId), leases.map((lease) => lease.epoch), owner.ownerId, ttlMs],
    });
    return {
      held: new Set(rows.map((row) => row.cluster_id)),
      leaving: new Set(rows.filter((row) => row.is_leaving).map((row) => row.cluster_id)),
    };
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
