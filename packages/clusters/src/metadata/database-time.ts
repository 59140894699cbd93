// The time that dates tokens for the metadata service: the database's, by which the service checks them. So neither side's own clock can
// make them invalid. It comes from the database, which both sides trust already, and never from an answer of the network: a false time
// would make a token that is valid later. A token lives as long as before.
import { type Database, queriesIn } from '@penstock/database/client';

/** After this time the database's clock is read again, while the last reading is used. */
const REFRESH_MS = 60_000;
/** A database that does not answer is asked again after this time. */
const RETRY_MS = 5_000;
/** A call does not wait longer for the database's clock. */
const PATIENCE_MS = 1_000;
/** When this machine's clocks drift apart by more than this, it was suspended or its time was set. */
const MAX_DRIFT_MS = 1_000;

/** This machine's clocks, in milliseconds. */
export interface MachineClocks {
  wallMs(): number;
  monotonicMs(): number;
}

interface Reading {
  databaseMs: number;
  wallMs: number;
  monotonicMs: number;
}

const systemClocks: MachineClocks = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

/** The database's time, read once a minute. This machine's until the database has answered. */
export function databaseTime(database: Database): () => Promise<number> {
  return estimatedTime(async () => {
    const { rows } = await queriesIn(database).query<{ now_ms: number }>({
      text: 'SELECT floor(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS now_ms',
      values: [],
    });
    const [row] = rows;
    if (row === undefined) {
      throw new Error('the database did not say what time it is');
    }
    return row.now_ms;
  });
}

/** @param read reads the database's clock */
export function estimatedTime(
  read: () => Promise<number>,
  clocks: MachineClocks = systemClocks,
  patienceMs = PATIENCE_MS,
): () => Promise<number> {
  let reading: Reading | undefined;
  let lastAttemptMs = Number.NEGATIVE_INFINITY;
  let attempt: Promise<void> | undefined;

  async function readOnce(): Promise<void> {
    lastAttemptMs = clocks.monotonicMs();
    try {
      const databaseMs = await read();
      reading = { databaseMs, wallMs: clocks.wallMs(), monotonicMs: clocks.monotonicMs() };
    } catch {
      // Without a new reading the last one counts, or this machine's clock. The next call after a while tries again.
    } finally {
      attempt = undefined;
    }
  }

  function refresh(): Promise<void> {
    if (attempt === undefined && clocks.monotonicMs() - lastAttemptMs >= RETRY_MS) {
      attempt = readOnce();
    }
    return attempt === undefined ? Promise.resolve() : within(patienceMs, attempt);
  }

  return async () => {
    if (reading === undefined || driftMs(reading, clocks) > MAX_DRIFT_MS) {
      await refresh();
    } else if (clocks.monotonicMs() - reading.monotonicMs > REFRESH_MS) {
      void refresh();
    }
    return reading === undefined
      ? clocks.wallMs()
      : Math.floor(reading.databaseMs + clocks.monotonicMs() - reading.monotonicMs);
  };
}

function driftMs(reading: Reading, clocks: MachineClocks): number {
  return Math.abs(clocks.wallMs() - reading.wallMs - (clocks.monotonicMs() - reading.monotonicMs));
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
