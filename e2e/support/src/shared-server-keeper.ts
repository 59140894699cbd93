// The process that owns the shared test server: starts it in an empty folder, watches its connections, and removes it with its data after
// two minutes without any.
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { type PostgresServer, startPostgresServer } from '@penstock/servers/postgres-server';
import pg from 'pg';
import { type SharedServer, sharedServerFile, sharedServerFolder } from './shared-server.ts';

const IDLE_LIMIT_MS = 120_000;
const POLL_INTERVAL_MS = 3_000;

async function publish(server: SharedServer): Promise<void> {
  const partial = `${sharedServerFile}.${process.pid}`;
  await writeFile(partial, JSON.stringify(server), { mode: 0o600 });
  await rename(partial, sharedServerFile);
}

async function countClients(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}

async function keep(server: PostgresServer, published: SharedServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  client.on('error', () => undefined);
  await client.connect();
  let lastUsedMs = Date.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    if ((await countClients(client)) > 0) {
      lastUsedMs = Date.now();
    } else if (Date.now() - lastUsedMs > IDLE_LIMIT_MS) {
      // New callers no longer find the server; a caller that found it just before is connected by the next check.
      await rm(sharedServerFile, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 500));
      if ((await countClients(client)) === 0) {
        return client.end();
      }
      lastUsedMs = Date.now();
      await publish(published);
    }
  }
}

async function main(): Promise<void> {
  await rm(sharedServerFolder, { recursive: true, force: true });
  await mkdir(sharedServerFolder, { recursive: true, mode: 0o755 });
  const password = randomBytes(18).toString('base64url');
  const server = await startPostgresServer({
    dataDir: join(sharedServerFolder, 'data'),
    port: await freePort(),
    password,
    logFile: join(sharedServerFolder, 'postgres.log'),
    settings: { max_connections: '400', max_wal_size: '2GB' },
  });
  const published: SharedServer = { keeperPid: process.pid, port: server.port, password };
  await publish(published);
  const stop = async (): Promise<void> => {
    await rm(sharedServerFile, { force: true });
    await server.stop();
    await rm(sharedServerFolder, { recursive: true, force: true });
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  await Promise.race([keep(server, published), server.exited]);
  await stop();
}

main().catch(async (error: unknown) => {
  await appendFile(join(sharedServerFolder, 'keeper.log'), `${String(error)}\n`).catch(() => undefined);
  process.exit(1);
});
