// A server that a test starts and may kill. It runs under PostgreSQL's account when tests run as root, and stops with its parent.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { ServerAccount } from '@penstock/servers/postgres-binaries';

export interface DaemonPlan {
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** The file that its output is appended to. */
  logFile: string;
  account: ServerAccount | undefined;
}

export interface Daemon {
  pid: number;
  isRunning(): boolean;
  /** SIGTERM, then SIGKILL after ten seconds. Resolves when it is gone. */
  stop(): Promise<void>;
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>;
}

const SETPRIV = '/usr/bin/setpriv';
const TIMEOUT_MS = 10_000;

/** Starts it; the caller waits until it is ready. @throws when there is no such program */
export async function startDaemon(plan: DaemonPlan): Promise<Daemon> {
  const { command, args, account } = plan;
  if (!existsSync(SETPRIV)) {
    throw new Error('The fail-over tests need Linux with setpriv (Debian package util-linux)');
  }
  const ids = account === undefined ? [] : [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const log = await open(plan.logFile, 'a');
  try {
    const child = spawn(SETPRIV, [...ids, '--pdeathsig=TERM', '--', command, ...args], {
      stdio: ['ignore', log.fd, log.fd],
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...plan.env },
      // Its account may not be able to enter the caller's folder.
      cwd: '/',
      detached: true,
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (isRunning()) {
        child.kill(signal);
      }
      await exited;
    };
    return {
      pid: child.pid ?? 0,
      isRunning,
      kill: () => end('SIGKILL'),
      stop: async () => {
        const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
        await end('SIGTERM');
        clearTimeout(timer);
      },
    };
  } finally {
    await log.close();
  }
}

/** The last lines of a log, for an error message. */
export async function lastLines(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-15).join('\n');
}
