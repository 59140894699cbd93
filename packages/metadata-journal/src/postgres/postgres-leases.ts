// Leases as rows in PostgreSQL. Only its clock decides when they expire. A row is never deleted, so epochs only increase.
import type { Pool } from 'pg';
import type { Placement } from '../cells/placement.ts';
import type { HeldLease, LeaseAttempt, LeaseHolding, LeaseOwner, Leases, Renewal } from '../leases.ts';

/** PostgreSQL's clock in whole milliseconds, rounded down, so that the result is never ahead of it. */
const DATABASE_MS = 'floor(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8';

interface HolderRow {
  owner_url: string;
  owner_admin_url: string | null;
  expires_in_ms: number;
  placement: Placement;
  other_cell: string | null;
  database_ms: number;
}

export class PostgresLeases implements Leases {
  readonly #pool: Pool;
  readonly #renewals: Pool;
  readonly #cell: string;

  /**
   * @param renewals a separate pool for renewals, so that none waits behind clusters that are being opened
   * @param cell the name of this database
   */
  constructor(pool: Pool, renewals: Pool = pool, cell = 'main') {
    this.#pool = pool;
    this.#renewals = renewals;
    this.#cell = cell;
  }

  async acquire(clusterId: string, owner: LeaseOwner, ttlMs: number): Promise<LeaseAttempt> {
    // A move that was abandoned leaves 'leaving' behind, which expires by itself.
    const taken = await this.#pool.query<{ epoch: string; database_ms: number }>({
      name: 'lease-acquire',
      text: `INSERT INTO metadata_lease AS lease (cluster_id, owner_id, owner_url, owner_admin_url, epoch, expires_at)
             VALUES ($1, $2, $3, $5, 1, clock_timestamp() + $4 * interval '1 millisecond')
             ON CONFLICT (cluster_id) DO UPDATE SET owner_id = excluded.owner_id, owner_url = excluded.owner_url,
               owner_admin_url = excluded.owner_admin_url,
               epoch = lease.epoch + 1, expires_at = excluded.expires_at, placement = 'here', leaving_until = NULL
             WHERE (lease.expires_at <= clock_timestamp() OR lease.owner_id = excluded.owner_id)
               AND (lease.placement = 'here' OR lease.placement = 'leaving' AND lease.leaving_until <= clock_timestamp())
             RETURNING lease.epoch, ${DATABASE_MS} AS database_ms`,
      values: [clusterId, owner.ownerId, owner.ownerUrl, ttlMs, owner.adminUrl ?? null],
    });
    const row = taken.rows[0];
    if (row !== undefined) {
      const lease = { clusterId, epoch: Number(row.epoch), cell: this.#cell };
      return { outcome: 'acquired', lease, databaseMs: row.database_ms };
    }
    const held = await this.#pool.query<HolderRow>({
      name: 'lease-holder',
      text: `SELECT owner_url, owner_admin_url, GREATEST(0, EXTRACT(EPOCH FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in_ms,
               placement, other_cell, ${DATABASE_MS} AS database_ms
             FROM metadata_lease WHERE cluster_id = $1`,
      values: [clusterId],
    });
    const holder = held.rows[0];
    if (holder === undefined) {
      throw new Error(`the lease of cluster ${clusterId} was deleted while it was being taken`);
    }
    const { owner_url: ownerUrl, expires_in_ms: expiresInMs, database_ms: databaseMs } = holder;
    if (holder.placement === 'left') {
      if (holder.other_cell === null) {
        throw new Error(`cluster ${clusterId} has left this cell, and metadata_lease does not say for which one`);
      }
      return { outcome: 'moved', toCell: holder.other_cell, databaseMs };
    }
    // A mover has no address.
    if (ownerUrl === '' || (holder.placement === 'leaving' && expiresInMs === 0)) {
      return { outcome: 'moving', databaseMs };
    }
    const adminUrl = holder.owner_admin_url ?? undefined;
    return { outcome: 'held-by-other', ownerUrl, adminUrl, expiresInMs, databaseMs };
  }

  async renew(leases: readonly HeldLease[], owner: LeaseOwner, ttlMs: number): Promise<Renewal> {
    // Rows are locked in one order, so that two renewals of one process (one that timed out, and the next) never deadlock.
    const { rows } = await this.#renewals.query<{
      cluster_ids: string[];
      leaving_ids: string[];
      database_ms: number;
    }>({
      name: 'lease-renew',
      text: `WITH held AS (
               SELECT lease.cluster_id FROM metadata_lease AS lease
               JOIN unnest($1::uuid[], $2::bigint[]) AS held (cluster_id, epoch) USING (cluster_id)
               WHERE lease.epoch = held.epoch AND lease.owner_id = $3 ORDER BY lease.cluster_id FOR UPDATE OF lease
             ), renewed AS (
               UPDATE metadata_lease AS lease SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
               FROM held WHERE lease.cluster_id = held.cluster_id RETURNING lease.cluster_id, lease.placement
             )
             SELECT coalesce(array_agg(cluster_id::text), '{}') AS cluster_ids,
               coalesce(array_agg(cluster_id::text) FILTER (WHERE placement = 'leaving'), '{}') AS leaving_ids,
               ${DATABASE_MS} AS database_ms FROM renewed`,
      values: [leases.map((lease) => lease.clusterId), leases.map((lease) => lease.epoch), owner.ownerId, ttlMs],
    });
    const [row] = rows;
    if (row === undefined) {
      throw new Error('an aggregate has one row');
    }
    return {
      held: new Set(row.cluster_ids),
      leaving: new Set(row.leaving_ids),
      databaseMs: row.database_ms,
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

  async holder(clusterId: string): Promise<LeaseHolding | undefined> {
    const { rows } = await this.#pool.query<Pick<HolderRow, 'owner_url' | 'owner_admin_url' | 'expires_in_ms'>>({
      name: 'lease-holder-only',
      text: `SELECT owner_url, owner_admin_url, (EXTRACT(EPOCH FROM expires_at - clock_timestamp()) * 1000)::float8 AS expires_in_ms
             FROM metadata_lease
             WHERE cluster_id = $1 AND expires_at > clock_timestamp() AND placement IN ('here', 'leaving') AND owner_url <> ''`,
      values: [clusterId],
    });
    const [row] = rows;
    return row === undefined
      ? undefined
      : { ownerUrl: row.owner_url, adminUrl: row.owner_admin_url ?? undefined, expiresInMs: row.expires_in_ms };
  }

  async handOver(lease: HeldLease, owner: LeaseOwner, to: LeaseOwner, ttlMs: number): Promise<void> {
    const { rowCount } = await this.#pool.query({
      name: 'lease-hand-over',
      text: `UPDATE metadata_lease SET owner_id = $4, owner_url = $5, owner_admin_url = $6, epoch = epoch + 1,
               expires_at = clock_timestamp() + $7 * interval '1 millisecond'
             WHERE cluster_id = $1 AND epoch = $2 AND owner_id = $3 AND placement = 'here'`,
      values: [lease.clusterId, lease.epoch, owner.ownerId, to.ownerId, to.ownerUrl, to.adminUrl ?? null, ttlMs],
    });
    if (rowCount === 0) {
      await this.release(lease, owner);
    }
  }
}
