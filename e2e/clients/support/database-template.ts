// A PostgreSQL data folder with all migrations that the systems of one test run are copied from. Creating one takes two seconds of CPU.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applyMigrations } from '@penstock/database';
import { freePort } from '@penstock/servers/free-port';
import { startPostgresServer } from '@penstock/servers/postgres-server';
import { EMBEDDED_DATABASE, EMBEDDED_OWNER, ensureEmbeddedDatabase } from '../../../infra/local/embedded-database.ts';
import { localSecrets } from '../../../infra/local/secrets.ts';

/** Names the template's folder to the processes of a test run. */
const VARIABLE = 'PENSTOCK_E2E_DATABASE_TEMPLATE';

/** Creates the template of this process and those that it starts; returns its removal. */
export async function setUpDatabaseTemplate(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-e2e-template-'));
  // PostgreSQL's own account must be able to traverse it.
  await chmod(folder, 0o711);
  const password = randomBytes(24).toString('base64url');
  const dataDir = join(folder, 'postgres');
  const server = await startPostgresServer({
    dataDir,
    port: await freePort(),
    password,
    logFile: join(folder, 'postgres.log'),
  });
  try {
    await ensureEmbeddedDatabase(server.url('postgres'), password);
    const ownerUrl = Object.assign(new URL(server.url(EMBEDDED_DATABASE)), { username: EMBEDDED_OWNER });
    await applyMigrations(ownerUrl.href);
  } finally {
    await server.stop();
  }
  await writeFile(join(folder, 'password'), password, { mode: 0o600 });
  process.env[VARIABLE] = folder;
  return () => rm(folder, { recursive: true });
}

/** Copies the template, if there is one, into the folder of a system that has not started yet. */
export async function copyDatabaseTemplate(home: string): Promise<void> {
  const folder = process.env[VARIABLE];
  if (folder === undefined) {
    return;
  }
  await promisify(execFile)('cp', ['-a', join(folder, 'postgres'), join(home, 'postgres')]);
  const postgresPassword = await readFile(join(folder, 'password'), 'utf8');
  const secrets = { ...(await localSecrets(home)), postgresPassword };
  await writeFile(join(home, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
}
