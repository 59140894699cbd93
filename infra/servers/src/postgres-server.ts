// One embedded PostgreSQL server as a child process: created when missing, started, stopped. Durable: fsync stays on.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { findPostgresBinaries, type PostgresBinaries, reachableDataFolder } from './postgres-binaries.ts';

export interface PostgresServerOptions {
  /** The data folder; initdb creates it when missing. */
  dataDir: string;
  port: number;
  /** Password of the superuser `postgres`, set when the data folder is created. */
  password: string;
  /** The file that the server's output is appended to. */
  logFile: string;
  /** A folder with other programs `initdb` and `postgres`. Absent: those of the embedded package. */
  programs?: string;
  /** Server settings, e.g. `{ max_connections: '300' }`. */
  settings?: Record<string, string>;
}

export interface PostgresServer {
  port: number;
  pid: number;
  /** Resolves when the process has exited for any reason. */
  exited: Promise<void>;
  /** Connection URL of one of its databases. */
  url(database: string): string;
  /** Fast shutdown: closes the sessions, writes everything to disk, resolves when the process is gone. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** Stops a server that an earlier, killed process left running on this data folder. */
async function stopLeftover(dataDir: string): Promise<void> {
  const content = await readFile(`${dataDir}/postmaster.pid`, 'utf8').catch(() => '');
  const pid = Number.parseInt(content.split('\n')[0] ?? '', 10);
  if (!Number.isInteger(pid) || pid <= 1) {
    return;
  }
  const isOurs = async (): Promise<boolean> => {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return commandLine.includes(dataDir);
  };
  if (!(await isOurs())) {
    // The process is gone (the pid may belong to another program by now), so the stale file is removed.
    await rm(`${dataDir}/postmaster.pid`, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (await isOurs()) {
    if (Date.now() > deadlineMs) {
      throw new Error(`PostgreSQL ${pid} still runs on ${dataDir} and does not stop: end it by \`kill -QUIT ${pid}\``);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function spawnAs(binaries: PostgresBinaries, command: string, args: string[], output: number): ChildProcess {
  const { account } = binaries;
  // setpriv (util-linux) makes the kernel stop the server when its parent is killed; elsewhere the next start does.
  const setpriv = '/usr/bin/setpriv';
  const stdio: ['ignore', number, number] = ['ignore', output, output];
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  // cwd: the server's account may not be able to enter the caller's folder.
  if (process.platform === 'linux' && existsSync(setpriv)) {
    const ids = account === undefined ? [] : [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
    return spawn(setpriv, [...ids, '--pdeathsig=INT', '--', command, ...args], {
      stdio,
      env,
      cwd: '/',
      detached: true,
    });
  }
  return spawn(command, args, { stdio, env, cwd: '/', detached: true, ...account });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
}

async function initialise(binaries: PostgresBinaries, dataDir: string, password: string, log: number): Promise<void> {
  // initdb works in a temporary folder, which is renamed when complete, so a killed initdb leaves nothing half done.
  const partial = `${dataDir}.${randomBytes(4).toString('hex')}`;
  const passwordFile = `${partial}.password`;
  await mkdir(partial, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (binaries.account !== undefined) {
    await chown(partial, binaries.account.uid, binaries.account.gid);
    await chown(passwordFile, binaries.account.uid, binaries.account.gid);
  }
  try {
    const code = await ended(
      spawnAs(
        binaries,
        binaries.initdb,
        [
          `--pgdata=${partial}`,
          '--username=postgres',
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          ...(binaries.hasBuiltinLocales ? ['--locale-provider=builtin'] : []),
          '--locale=C.UTF-8',
        ],
        log,
      ),
    );
    if (code !== 0) {
      throw new Error(`initdb failed with code ${code}`);
    }
    await rename(partial, dataDir);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(partial, { recursive: true, force: true });
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      throw new Error('PostgreSQL refuses the password: the data folder was made with another one', { cause: error });
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Starts the server and resolves when it answers queries. Throws with the last lines of its log when it does not. */
export async function startPostgresServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const binaries = await findPostgresBinaries(options.programs);
  const dataDir = await reachableDataFolder(options.dataDir, binaries.account);
  await mkdir(dirname(options.logFile), { recursive: true });
  const log = await open(options.logFile, 'a', 0o600);
  try {
    if (existsSync(`${dataDir}/PG_VERSION`)) {
      await stopLeftover(dataDir);
    } else {
      await initialise(binaries, dataDir, options.password, log.fd);
    }
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawnAs(binaries, binaries.postgres, ['-D', dataDir, '-p', String(options.port), ...flags], log.fd);
    const exited = ended(child).then(() => undefined);
    let isRunning = true;
    void exited.finally(() => {
      isRunning = false;
    });
    const url = (database: string): string =>
      `postgresql://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${options.port}/${database}`;
    const stop = async (): Promise<void> => {
      if (isRunning) {
        child.kill('SIGINT');
      }
      await exited;
    };
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    while (!(await isReady(url('postgres')))) {
      if (!isRunning || Date.now() > deadlineMs) {
        await stop();
        const lines = (await readFile(options.logFile, 'utf8')).trimEnd().split('\n').slice(-8).join('\n');
        throw new Error(`PostgreSQL did not start on port ${options.port}:\n${lines}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { port: options.port, pid: child.pid ?? 0, exited, url, stop };
  } finally {
    await log.close();
  }
}
