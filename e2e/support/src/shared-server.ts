// One PostgreSQL server shared by all current test runs of this checkout. A keeper process owns it and stops it after some time without
// connections.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The description that the keeper writes once the server is ready. */
export interface SharedServer {
  keeperPid: number;
  port: number;
  password: string;
}

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const checkout = createHash('sha256').update(packageFolder).digest('hex').slice(0, 12);
/** Not under the checkout, which may be in a folder that PostgreSQL's user cannot enter. */
export const sharedServerFolder = join(tmpdir(), `penstock-test-postgres-${userInfo().uid}-${checkout}`);
export const sharedServerFile = join(sharedServerFolder, 'server.json');
const lockFolder = `${sharedServerFolder}.lock`;

const START_TIMEOUT_MS = 90_000;
/** The keeper is TypeScript, which an older Node on the caller's PATH could not run. */
const pinnedNode = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));

export function sharedServerUrl(server: SharedServer, database: string): string {
  return `postgresql://postgres:${server.password}@127.0.0.1:${server.port}/${database}`;
}

async function readServer(): Promise<SharedServer | undefined> {
  try {
    return JSON.parse(await readFile(sharedServerFile, 'utf8')) as SharedServer;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Takes the lock for starting the keeper; false when another process has it. */
async function takeLock(): Promise<boolean> {
  try {
    await mkdir(lockFolder);
    await writeFile(join(lockFolder, 'pid'), String(process.pid));
    return true;
  } catch {
    const holder = Number.parseInt(await readFile(join(lockFolder, 'pid'), 'utf8').catch(() => ''), 10);
    const ageMs = await stat(lockFolder).then(
      (info) => Date.now() - info.mtimeMs,
      () => 0,
    );
    // The lock's holder was killed: after writing its pid, or just before.
    if (Number.isInteger(holder) ? !isAlive(holder) : ageMs > 5_000) {
      await rm(lockFolder, { recursive: true, force: true });
    }
    return false;
  }
}

/** An open connection to the shared server's maintenance database; starts the server if it is not running. */
export async function connectToSharedServer(): Promise<{ server: SharedServer; client: pg.Client }> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  let lastError: unknown;
  while (Date.now() < deadlineMs) {
    const server = await readServer();
    if (server !== undefined && isAlive(server.keeperPid)) {
      const client = new pg.Client({
        connectionString: sharedServerUrl(server, 'postgres'),
        connectionTimeoutMillis: 10_000,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return { server, client };
      } catch (error) {
        // It stopped between the check and the connection, or is still starting: check again.
        lastError = error;
      }
    } else if (await takeLock()) {
      try {
        await startKeeper(deadlineMs);
      } finally {
        await rm(lockFolder, { recursive: true, force: true });
      }
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The PostgreSQL for tests did not come up: see ${join(sharedServerFolder, 'keeper.log')}`, {
    cause: lastError,
  });
}

async function startKeeper(deadlineMs: number): Promise<void> {
  const present = await readServer();
  if (present !== undefined && isAlive(present.keeperPid)) {
    return;
  }
  const keeper = fileURLToPath(new URL('./shared-server-keeper.ts', import.meta.url));
  // Detached: it outlives the test run that started it.
  const child = spawn(pinnedNode, [keeper], { detached: true, stdio: 'ignore', cwd: '/' });
  child.unref();
  while (Date.now() < deadlineMs) {
    const server = await readServer();
    if (server !== undefined && server.keeperPid === child.pid) {
      return;
    }
    if (child.exitCode !== null) {
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
