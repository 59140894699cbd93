// A recorded data directory, as `npm start` left it, restored for a test.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@penstock/servers/free-port';
import { startPostgresServer } from '@penstock/servers/postgres-server';
import { EMBEDDED_DATABASE, EMBEDDED_OWNER, ensureEmbeddedDatabase } from '../../../infra/local/embedded-database.ts';
import type { DemoCredentials } from '../../../prisma/seed/demo.ts';
import { decodeDump, restoreDatabase } from './database-dump.ts';

/** Responses of the API and the Kafka port when the directory was recorded. */
export interface Recorded {
  demo: DemoCredentials;
  apiKey: string;
  otherCluster: { clusterId: string; agentKey: string };
  revokedAgentKey: string;
  passwords: { alice: string; bob: string };
  /** Everything in secrets.json but the database's password. They protect this recording only. */
  secrets: Record<'adminKeys' | 'browseKeys' | 'peerKeys' | 'authSecret', string>;
  topics: {
    name: string;
    configs: { name: string; value: string }[];
    partitions: { partition: number; logStartOffset: number; highWatermark: number }[];
  }[];
  groups: Record<string, { topic: string; partitions: { partition: number; offset: string }[] }[]>;
  users: { user: string; mechanisms: string[] }[];
  acls: unknown[];
  quotas: unknown[];
  agentKeys: { id: string; name: string; revokedAt: string | null }[];
  invoice: { id: string; number: string; seal: string; lines: unknown[] };
  usage: { uncompressedBytes: string; storedBytes: string; records: string; files: string };
}

const folderOf = (name: string): string => join(import.meta.dirname, name);

/** The recorded answers, without starting anything. */
export async function readRecorded(name: string): Promise<Recorded> {
  return JSON.parse(await readFile(join(folderOf(name), 'recorded.json'), 'utf8')) as Recorded;
}

/** Fills `home` with what was recorded. */
export async function restoreDirectory(name: string, home: string): Promise<void> {
  const { demo, secrets } = await readRecorded(name);
  await chmod(home, 0o711);
  const postgresPassword = randomBytes(24).toString('base64url');
  const secret = { mode: 0o600 };
  await writeFile(join(home, 'secrets.json'), JSON.stringify({ ...secrets, postgresPassword }), secret);
  await writeFile(join(home, 'demo.json'), JSON.stringify(demo), secret);
  await mkdir(join(home, 'objects'));
  await promisify(execFile)('tar', ['-xzf', join(folderOf(name), 'objects.tar.gz'), '-C', join(home, 'objects')]);
  const server = await startPostgresServer({
    dataDir: join(home, 'postgres'),
    port: await freePort(),
    password: postgresPassword,
    logFile: join(home, 'postgres.log'),
  });
  try {
    await ensureEmbeddedDatabase(server.url('postgres'), postgresPassword);
    const superuserUrl = server.url(EMBEDDED_DATABASE);
    const ownerUrl = Object.assign(new URL(superuserUrl), { username: EMBEDDED_OWNER }).href;
    const dump = decodeDump(await readFile(join(folderOf(name), 'database.json.gz')));
    await restoreDatabase(ownerUrl, superuserUrl, dump);
  } finally {
    await server.stop();
  }
}
