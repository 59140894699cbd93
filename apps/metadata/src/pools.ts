// PostgreSQL connection pools, one per purpose, so that a full pool does not starve the others. Connections open on demand. Journals and
// leases have pools in each cell; everything else only in the control database.
import { Cells } from '@penstock/metadata-journal';
import { applicationName, type Logger, MAIN_CELL, withAccess } from '@penstock/platform';
import { Pool } from 'pg';

/**
 * The most connections by purpose: 25 in all to the control database, 17 to another cell. PostgreSQL's default limit for all clients is
 * 100.
 */
const POOL_SIZES = {
  /** At most one append per cluster is in flight, for a millisecond or two. */
  appends: 10,
  /** Reads snapshots and journals of clusters that are being opened. */
  recovery: 4,
  /** Reads the control plane's records of clusters, and checks that the database answers. */
  directory: 2,
  /** Looks up agent keys. A flood of unknown ones waits only for these connections. */
  keys: 3,
  /** Stores telemetry reports of agents. */
  telemetry: 3,
} as const;

/** The pools of the lease thread. */
const LEASE_POOL_SIZES = {
  /** Renews leases, one statement at a time. */
  renewals: 1,
  /** Acquires and releases leases. */
  leases: 2,
} as const;

type CellPoolName = 'appends' | 'recovery';
type ControlPoolName = Exclude<keyof typeof POOL_SIZES, CellPoolName>;
export type Pools = Readonly<Record<CellPoolName, Cells> & Record<ControlPoolName, Pool>>;
export type LeasePools = Readonly<Record<keyof typeof LEASE_POOL_SIZES, Cells>>;

/** A statement without an answer for this long counts as failed, and the owner steps down. */
const QUERY_TIMEOUT_MS = 15_000;

/** An idle connection failed. Only the message is passed on, because the error object holds the whole connection. */
type OnIdleError = (message: string, pool: string, cell: string) => void;

/**
 * Opens the pools of the main thread: of the control database, and of the journals' databases, whose connection URLs
 * `cells` holds by cell name.
 */
export function openPools(
  { databaseUrl, cells }: { databaseUrl: string; cells: ReadonlyMap<string, string> },
  logger: Logger,
): Pools {
  const onIdleError: OnIdleError = (message, pool, cell) =>
    logger.warn({ message, pool, cell }, 'an idle database connection failed');
  const inCells = (name: CellPoolName): Cells =>
    new Cells(cells, (url, cell) => openPool(url, name, cell, POOL_SIZES[name], QUERY_TIMEOUT_MS, onIdleError));
  const inControl = (name: ControlPoolName): Pool =>
    openPool(databaseUrl, name, MAIN_CELL, POOL_SIZES[name], QUERY_TIMEOUT_MS, onIdleError);
  return {
    appends: inCells('appends'),
    recovery: inCells('recovery'),
    directory: inControl('directory'),
    keys: inControl('keys'),
    telemetry: inControl('telemetry'),
  };
}

/**
 * Opens the pools of the lease thread.
 * @param leaseTtlMs a renewal that takes longer is too late
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
    application_name: applicationName(`metadata-${name}`),
    // Other cells hold journals only, and no roles.
    ...(cell === MAIN_CELL ? withAccess('metadata') : {}),
  });
  pool.on('error', ({ message }) => onIdleError(message, name, cell));
  // A connection that breaks in use fails its query. The same error as an event without a listener would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** Every open pool, with its purpose and its cell. */
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
