// The benchmark's own PostgreSQL with default settings: fsync and synchronous_commit on.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@penstock/database';
import { freePort } from '@penstock/servers/free-port';
import { startPostgresServer } from '@penstock/servers/postgres-server';
import pg from 'pg';

export interface BenchServer {
  url: string;
  version: string;
  /** Process id of the postmaster. */
  pid: number;
  stop: () => Promise<void>;
}

export async function startBenchServer(): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-metadata-'));
  const server = await startPostgresServer({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  try {
    const url = server.url('postgres');
    await applyMigrations(url);
    return { url, version: await durableVersion(url), pid: server.pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Number of WAL files that 30 s of the benchmarks' load fills. */
const WAL_FILES = 8;

/**
 * Gives the server write-ahead log files to reuse, as one that has run for a while has. A new server creates each of 16 MiB while commits
 * wait, for about 100 ms.
 */
export async function settleWal(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query('CREATE TABLE wal_filler (filler int)');
  for (let file = 0; file < WAL_FILES; file += 1) {
    await pool.query('INSERT INTO wal_filler VALUES (1)');
    await pool.query('SELECT pg_switch_wal()');
  }
  await pool.query('CHECKPOINT');
  await pool.query('CHECKPOINT');
}

/** @throws when the server would answer before its data is on disk, which would make the figures worthless */
async function durableVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string; fsync: string; commit: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
              current_setting('synchronous_commit') AS commit`,
    );
    const [row] = rows;
    if (row?.fsync !== 'on' || row.commit !== 'on') {
      throw new Error('PostgreSQL does not run with durable commits');
    }
    return row.version;
  } finally {
    await client.end();
  }
}
