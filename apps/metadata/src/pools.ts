// Connections to PostgreSQL, in a pool for each purpose: a full one starves no other. They open when they are wanted. What concerns
// journals and leases has its pools in each cell, the rest in the control database alone.
import { Cells } from '@penstock/metadata-journal';
import { type Logger, MAIN_CELL } from '@penstock/platform';
import { Pool } from 'pg';

/** Connections at most, by purpose: 25 in all to the control database, 17 to another cell. PostgreSQL's own default for everybody together is 100. */
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
type CellPoolName = 'appends' | 'renewals' | 'leases' | 'recovery';
export type Pools = Readonly<Record<CellPoolName, Cells> & Record<Exclude<PoolName, CellPoolName>, Pool>>;

/** A statement without an answer for this long counts as failed: the owner steps down. */
const QUERY_TIMEOUT_MS = 15_000;

/**
 * @param cells connection URLs by the name of the cell, `main` being the control database
 * @param leaseTtlMs a renewal that takes longer has come too late
 */
export function openPools(cells: ReadonlyMap<string, string>, leaseTtlMs: number, logger: Logger): Pools {
  const open = (name: PoolName, connectionString: string, cell: string, timeoutMs = QUERY_TIMEOUT_MS): Pool => {
    const pool = new Pool({
      connectionString,
      max: POOL_SIZES[name],
      query_timeout: timeoutMs,
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
      application_name: `penstock-metadata-${name}`,
    });
    // The error itself carries the whole connection: only what it says is logged.
    pool.on('error', ({ message }) => logger.warn({ message, pool: name, cell }, 'an idle database connection failed'));
    // One that breaks in use fails its query; the same error as an event, to which nobody listens, would end the process.
    pool.on('connect', (client) => void client.on('error', () => undefined));
    return pool;
  };
  const inCells = (name: CellPoolName, timeoutMs?: number): Cells =>
    new Cells(cells, (url, cell) => open(name, url, cell, timeoutMs));
  const inControl = (name: Exclude<PoolName, CellPoolName>): Pool => open(name, cells.get(MAIN_CELL) ?? '', MAIN_CELL);
  return {
    appends: inCells('appends'),
    renewals: inCells('renewals', Math.min(leaseTtlMs, QUERY_TIMEOUT_MS)),
    leases: inCells('leases'),
    recovery: inCells('recovery'),
    directory: inControl('directory'),
    keys: inControl('keys'),
    telemetry: inControl('telemetry'),
  };
}

/** Every pool that is open, with its purpose and its cell. */
export function* openedPools(pools: Pools): Iterable<{ name: string; cell: string; pool: Pool }> {
  for (const [name, of] of Object.entries(pools)) {
    if (of instanceof Cells) for (const [cell, pool] of of.opened) yield { name, cell, pool };
    else yield { name, cell: MAIN_CELL, pool: of };
  }
}

export async function closePools(pools: Pools): Promise<void> {
  await Promise.all(Object.values(pools).map((of) => (of instanceof Cells ? of.close() : of.end())));
}
