// Connections to PostgreSQL, in a pool for each purpose: a full one starves no other. They open when they are wanted.
import type { Logger } from '@penstock/platform';
import { Pool } from 'pg';

/** Connections at most, by purpose: 25 in all. PostgreSQL's own default for everybody together is 100. */
const POOL_SIZES = {
  /** One append is in flight per cluster at most, for a millisecond or two. */
  appends: 10,
  /** Snapshots and journals of clusters that are opened. */
  recovery: 4,
  /** What the control plane says of clusters, and whether the database answers at all. */
  directory: 2,
  /** Agent keys: a flood of unknown ones waits for these alone. */
  keys: 3,
  /** Telemetry reports. */
  telemetry: 3,
} as const;

/** Those of the lease thread. */
const LEASE_POOL_SIZES = {
  /** Renewals: one statement at a time. */
  renewals: 1,
  /** Leases taken and given up. */
  leases: 2,
} as const;

export type Pools = Readonly<Record<keyof typeof POOL_SIZES, Pool>>;
export type LeasePools = Readonly<Record<keyof typeof LEASE_POOL_SIZES, Pool>>;

/** A statement without an answer for this long counts as failed: the owner steps down. */
const QUERY_TIMEOUT_MS = 15_000;

/** The pools of the main thread. */
export function openPools(databaseUrl: string, logger: Logger): Pools {
  const open = (name: keyof typeof POOL_SIZES): Pool =>
    openPool(databaseUrl, name, POOL_SIZES[name], QUERY_TIMEOUT_MS, ({ message }) =>
      logger.warn({ message, pool: name }, 'an idle database connection failed'),
    );
  return {
    appends: open('appends'),
    recovery: open('recovery'),
    directory: open('directory'),
    keys: open('keys'),
    telemetry: open('telemetry'),
  };
}

/**
 * The pools of the lease thread.
 * @param leaseTtlMs a renewal that takes longer has come too late
 * @param onIdleError a connection failed that nobody was using
 */
export function openLeasePools(
  databaseUrl: string,
  leaseTtlMs: number,
  onIdleError: (pool: string, message: string) => void,
): LeasePools {
  const open = (name: keyof typeof LEASE_POOL_SIZES, timeoutMs: number): Pool =>
    openPool(databaseUrl, name, LEASE_POOL_SIZES[name], timeoutMs, ({ message }) => onIdleError(name, message));
  return {
    renewals: open('renewals', Math.min(leaseTtlMs, QUERY_TIMEOUT_MS)),
    leases: open('leases', QUERY_TIMEOUT_MS),
  };
}

/** @param onIdleError the error itself carries the whole connection: log only what it says */
function openPool(
  connectionString: string,
  name: string,
  max: number,
  timeoutMs: number,
  onIdleError: (error: Error) => void,
): Pool {
  const pool = new Pool({
    connectionString,
    max,
    query_timeout: timeoutMs,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    application_name: `penstock-metadata-${name}`,
  });
  pool.on('error', onIdleError);
  // One that breaks in use fails its query; the same error as an event, to which nobody listens, would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

export async function closePools(pools: Readonly<Record<string, Pool>>): Promise<void> {
  await Promise.all(Object.values(pools).map((pool) => pool.end()));
}
