// Uses a PostgreSQL of its own, because it changes settings.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { type PostgresServer, startPostgresServer } from '@penstock/servers/postgres-server';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppendUncertain } from '../errors.ts';
import { JOURNAL_START } from '../position.ts';
import { PostgresJournal } from './postgres-journal.ts';
import { readReplication } from './replication.ts';

let folder: string;
let server: PostgresServer;
let pool: Pool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-replication-'));
  server = await startPostgresServer({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password: 'of-the-test',
    logFile: join(folder, 'postgres.log'),
    settings: { wal_level: 'replica', max_wal_senders: '4' },
  });
  pool = new Pool({ connectionString: server.url('postgres'), max: 4 });
  pool.on('error', () => undefined);
}, 120_000);

afterAll(async () => {
  await pool.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Changes a setting of the server, and waits until sessions see it. */
async function configure(setting: string, value: string): Promise<void> {
  await pool.query(`ALTER SYSTEM SET ${setting} = '${value}'`);
  await pool.query('SELECT pg_reload_conf()');
  await expect
    .poll(async () => (await pool.query('SELECT current_setting($1) AS value', [setting])).rows[0]?.value)
    .toBe(value);
}

/**
 * Lets commits wait for a standby that does not exist. Returns when they do: sessions see the setting before PostgreSQL's checkpointer, which
 * makes commits wait, has read it.
 */
async function blockCommits(): Promise<void> {
  await configure('synchronous_standby_names', 'nobody');
  const prober = await pool.connect();
  try {
    const { rows } = await prober.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const pid = rows[0]?.pid;
    let waits = false;
    while (!waits) {
      let isDone = false;
      const probe = prober.query("SELECT pg_logical_emit_message(true, 'probe', '')").then(() => {
        isDone = true;
      });
      while (!(isDone || waits)) {
        const waiting = "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'";
        waits = (await pool.query(waiting, [pid])).rowCount === 1;
      }
      if (waits) {
        await pool.query('SELECT pg_cancel_backend($1)', [pid]);
      }
      await probe;
    }
  } finally {
    prober.release();
  }
}

afterEach(async () => {
  await configure('synchronous_standby_names', '');
  await configure('synchronous_commit', 'on');
});

/** Streams the write-ahead log, as a standby does. */
async function connectStandby(applicationName: string): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
  const replicating = {
    connectionString: server.url('postgres'),
    application_name: applicationName,
    replication: 'true',
  };
  const client = new Client(replicating);
  client.on('error', () => undefined);
  await client.connect();
  // The query never ends; closing the connection ends it.
  client.query(`START_REPLICATION PHYSICAL ${rows[0]?.lsn}`).catch(() => undefined);
  await expect
    .poll(async () => (await pool.query('SELECT 1 FROM pg_stat_replication WHERE state = $1', ['streaming'])).rowCount)
    .toBe(1);
  return async () => {
    await client.end();
    await expect.poll(async () => (await pool.query('SELECT 1 FROM pg_stat_replication')).rowCount).toBe(0);
  };
}

describe('the replication of acknowledged writes', () => {
  test('a server without standbys is single', async () => {
    expect(await readReplication(pool)).toMatchObject({ kind: 'single' });
  });

  // Also for a role without pg_monitor.
  test('a standby that commits ignore is asynchronous', async () => {
    const disconnect = await connectStandby('replica');
    try {
      expect(await readReplication(pool)).toMatchObject({ kind: 'asynchronous' });
      await pool.query("CREATE ROLE plain LOGIN PASSWORD 'plain'");
      const url = new URL(server.url('postgres'));
      url.username = 'plain';
      url.password = 'plain';
      const plain = new Pool({ connectionString: url.href, max: 1 });
      expect(await readReplication(plain)).toMatchObject({ kind: 'asynchronous' });
      await plain.end();
    } finally {
      await disconnect();
    }
  });

  test('named standbys are synchronous if the service waits', async () => {
    const disconnect = await connectStandby('replica');
    try {
      await configure('synchronous_standby_names', 'ANY 1 (replica)');
      expect(await readReplication(pool)).toMatchObject({ kind: 'synchronous' });
      for (const off of ['local', 'off']) {
        await configure('synchronous_commit', off);
        expect(await readReplication(pool)).toMatchObject({ kind: 'asynchronous' });
      }
    } finally {
      await configure('synchronous_commit', 'local');
      await disconnect();
    }
  });

  test('a server that does not answer is reported as unknown', async () => {
    const nobody = new Pool({ connectionString: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(await readReplication(nobody)).toMatchObject({ kind: 'unknown' });
    await nobody.end();
  });
});

// PostgreSQL reports success.
test('a cancelled wait for the standby leaves an append uncertain', async () => {
  await pool.query(
    `CREATE TABLE metadata_journal (cluster_id uuid, seq bigint, organization_id text, entry bytea, hash bytea,
       appended_at timestamptz DEFAULT now(), PRIMARY KEY (cluster_id, seq))`,
  );
  await blockCommits();
  const cluster = { clusterId: crypto.randomUUID(), organizationId: 'org' };
  const append = new PostgresJournal(pool).append(cluster, JOURNAL_START, Buffer.from('entry'));
  const outcome = expect(append).rejects.toThrow(AppendUncertain);
  let pid: number | undefined;
  await expect
    .poll(async () => {
      const { rows } = await pool.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%INSERT INTO metadata_journal%'",
      );
      pid = rows[0]?.pid;
      return pid;
    })
    .toBeDefined();
  await pool.query('SELECT pg_cancel_backend($1)', [pid]);
  await outcome;
});
