// Connections to PostgreSQL, in a pool for each purpose: a full one starves no other. They open when they are wanted. What concerns
// journals and leases has its pools in each cell, the rest in the control database alone.
import { Cells } from '@penstock/metadata-journal';
import { type Logger, MAIN_CELL } from '@penstock/platform';
import { Pool } from 'pg';

/** Connections at most, by purpose: 25 in all to the control database, 17 to another cell. PostgreSQL's own default for everybody together is 100. */
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

type CellPoolName = 'appends' | 'recovery';
type ControlPoolName = Exclude<keyof typeof POOL_SIZES, CellPoolName>;
export type Pools = Readonly<Record<CellPoolName, Cells> & Record<ControlPoolName, Pool>>;
export type LeasePools = Readonly<Record<keyof typeof LEASE_POOL_SIZES, Cells>>;

/** A statement without an answer for this long counts as failed: the owner steps down. */
const QUERY_TIMEOUT_MS = 15_000;

/** A connection failed that nobody was using. The error itself carries the whole connection, so only what it says is told. */
type OnIdleError = (message: string, pool: string, cell: string) => void;

/**
 * The pools of the main thread.
 * @param cells connection URLs by the name of the cell, `main` being the control database
 */
export function openPools(cells: ReadonlyMap<string, string>, logger: Logger): Pools {
  const onIdleError: OnIdleError = (message, pool, cell) =>
    logger.warn({ message, pool, cell }, 'an idle database connection failed');
  const inCells = (name: CellPoolName): Cells =>
    new Cells(cells, (url, cell) => openPool(url, name, cell, POOL_SIZES[name], QUERY_TIMEOUT_MS, onIdleError));
  const inControl = (name: ControlPoolName): Pool =>
    openPool(cells.get(MAIN_CELL) ?? '', name, MAIN_CELL, POOL_SIZES[name], QUERY_TIMEOUT_MS, onIdleError);
  return {
    appends: inCells('appends'),
    recovery: inCells('recovery'),
    directory: inControl('directory'),
    keys: inControl('keys'),
    telemetry: inControl('telemetry'),
  };
}

/**
 * The pools of the lease thread.
 * @param leaseTtlMs a renewal that takes longer has come too late
 */
export function openLeasePools(
  cells: ReadonlyMap<string, string>,
  leaseTtlMs: number,
  onIdleError: OnIdleError,
): LeasePools {
  const inCells = (name: keyof LeasePools, timeoutMs: number): Cells =>
    new Cells(cells, (url, cell) => openPool(url, name, cell, LEASE_POOL_SIZES[name], timeoutMs, onIdleError));
  return {
    renewals: inCells('renewals', Math.min(leaseTtlMs, QUERY_TIMEOUT_MS)),
    leases: inCells('leases', QUERY_TIMEOUT_MS),
  };
}

function openPool(
  connectionString: string,
  name: string,
  cell: string,
  max: number,
  timeoutMs: number,
  onIdleError: OnIdleError,
): Pool {
  const pool = new Pool({
    connectionString,
    max,
    query_timeout: timeoutMs,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    application_name: `penstock-metadata-${name}`,
  });
  pool.on('error', ({ message }) => onIdleError(message, name, cell));
  // One that breaks in use fails its query; the same error as an event, to which nobody listens, would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** Every pool that is open, with its purpose and its cell. */
export function* openedPools(pools: Pools): Iterable<{ name: string; cell: string; pool: Pool }> {
  for (const [name, of] of Object.entries(pools)) {
    if (of instanceof Cells) {
      for (const [cell, pool] of of.opened) {
        yield { name, cell, pool };
      }
    } else {
      yield { name, cell: MAIN_CELL, pool: of };
    }
  }
}

export async function closePools(pools: Pools | LeasePools): Promise<void> {
  await Promise.all(Object.values(pools).map((of) => (of instanceof Cells ? of.close() : of.end())));
}
