// Connections to PostgreSQL, in a pool for each purpose: a full one starves no other. They open when they are wanted.
import type { Logger } from '@penstock/platform';
import { Pool } from 'pg';

/** Connections at most, by purpose: 25 in all. PostgreSQL's own default for everybody together is 100. */
const POOL_SIZES = {
  /** One append is in flight per cluster at most, for a millisecond or two. */
  appends: 10,
  /** Renewals: one statement at a time. */
  renewals: 1,
  /** Leases taken and given up. */
  leases: 2,
  /** Snapshots and journals of clusters that are opened. */
  recovery: 4,
  /** What the control plane says of clusters, and whether the database answers at all. */
  directory: 2,
  /** Agent keys: a flood of unknown ones waits for these alone. */
  keys: 3,
  /** Telemetry reports. */
  telemetry: 3,
} as const;

export type PoolName = keyof typeof POOL_SIZES;
export type Pools = Readonly<Record<PoolName, Pool>>;

/** A statement without an answer for this long counts as failed: the owner steps down. */
const QUERY_TIMEOUT_MS = 15_000;

/** @param leaseTtlMs a renewal that takes longer has come too late */
export function openPools(databaseUrl: string, leaseTtlMs: number, logger: Logger): Pools {
  const open = (name: PoolName, timeoutMs = QUERY_TIMEOUT_MS): Pool => {
    const pool = new Pool({
      connectionString: databaseUrl,
      max: POOL_SIZES[name],
      query_timeout: timeoutMs,
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
      application_name: `penstock-metadata-${name}`,
    });
    // The error itself carries the whole connection: only what it says is logged.
    pool.on('error', ({ message }) => logger.warn({ message, pool: name }, 'an idle database connection failed'));
    return pool;
  };
  return {
    appends: open('appends'),
    renewals: open('renewals', Math.min(leaseTtlMs, QUERY_TIMEOUT_MS)),
    leases: open('leases'),
    recovery: open('recovery'),
    directory: open('directory'),
    keys: open('keys'),
    telemetry: open('telemetry'),
  };
}

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all(Object.values(pools).map((pool) => pool.end()));
}
