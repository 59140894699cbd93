// One child process of a local system: its log file, readiness, restarts and exit.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ProcessLedger, processStart } from './process-ledger.ts';

export interface ProcessPlan {
  /** Unique within the system; names the log file. */
  name: string;
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  logFile: string;
  /** Answers 2xx once the process is ready. */
  readyUrl: string;
  readyTimeoutMs: number;
  /** How long it may take to exit after SIGTERM before it is killed. */
  stopTimeoutMs: number;
}

export interface ProcessEvents {
  /** It exited unexpectedly. `willRestart` is false after too many exits. */
  onDeath(name: string, reason: string, lastLines: string, willRestart: boolean): void;
  onRestart(name: string): void;
}

const SETPRIV = '/usr/bin/setpriv';
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 10_000;
/** A process that exits this often without having been ready for a minute is not restarted again. */
const DEATHS_BEFORE_GIVING_UP = 5;
const STEADY_MS = 60_000;

function delay(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

export async function lastLogLines(logFile: string, count: number): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

/** Environment that every child needs. Children get nothing else from the parent unless the plan says so. */
function baseEnvironment(): Record<string, string> {
  const names = [
    'PATH',
    'HOME',
    'LANG',
    'TZ',
    'TMPDIR',
    'NODE_COMPILE_CACHE',
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'RUST_LOG',
  ];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

export class ManagedProcess {
  readonly plan: ProcessPlan;
  readonly #events: ProcessEvents;
  readonly #ledger: ProcessLedger;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #isWanted = false;
  #deaths = 0;

  constructor(plan: ProcessPlan, ledger: ProcessLedger, events: ProcessEvents) {
    this.plan = plan;
    this.#ledger = ledger;
    this.#events = events;
  }

  /** Process id; undefined while it is not running. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it and resolves when it is ready. Throws with the last lines of its log when it exits or times out. */
  async start(): Promise<void> {
    this.#isWanted = true;
    await this.#spawn();
    await this.#untilReady();
  }

  async #spawn(): Promise<void> {
    const { plan } = this;
    await mkdir(dirname(plan.logFile), { recursive: true });
    const log = await open(plan.logFile, 'a', 0o600);
    try {
      await log.write(`--- ${plan.name} starts at ${new Date().toISOString()}\n`);
      // On Linux the kernel kills the child when this process is killed; elsewhere the next start does, from the process ledger.
      const isLinux = process.platform === 'linux' && existsSync(SETPRIV);
      const [command, args] = isLinux
        ? [SETPRIV, ['--pdeathsig=TERM', '--', plan.command, ...plan.args]]
        : [plan.command, plan.args];
      const child = spawn(command, args, {
        cwd: plan.cwd,
        env: { ...baseEnvironment(), ...plan.env },
        stdio: ['ignore', log.fd, log.fd],
        // Its own process group: Ctrl-C reaches only the supervisor, which stops the children in order.
        detached: true,
      });
      this.#child = child;
      this.#exited = new Promise((resolve) => {
        const end = (reason: string): void => {
          if (this.#child === child) {
            this.#child = undefined;
          }
          resolve();
          void this.#afterEnd(reason);
        };
        child.once('error', (error) => end(error.message));
        child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
      });
      if (child.pid !== undefined) {
        await this.#ledger.add({ name: plan.name, pid: child.pid, start: await processStart(child.pid) });
      }
    } finally {
      await log.close();
    }
  }

  async #untilReady(): Promise<void> {
    const { plan } = this;
    const deadlineMs = Date.now() + plan.readyTimeoutMs;
    for (;;) {
      if (this.#child === undefined) {
        this.#isWanted = false;
        throw new Error(`${plan.name} ended while starting:\n${await lastLogLines(plan.logFile, 15)}`);
      }
      const isReady = await fetch(plan.readyUrl, { signal: AbortSignal.timeout(2_000), redirect: 'manual' }).then(
        (response) => response.status < 400,
        () => false,
      );
      if (isReady) {
        return;
      }
      if (Date.now() > deadlineMs) {
        const lines = await lastLogLines(plan.logFile, 15);
        throw new Error(
          `${plan.name} was not ready after ${plan.readyTimeoutMs / 1_000} s (${plan.readyUrl}):\n${lines}`,
        );
      }
      await delay(50);
    }
  }

  async #afterEnd(reason: string): Promise<void> {
    // Checked immediately: a deliberately stopped process may be started again while the ledger is being written, and
    // must not run twice.
    const wasWanted = this.#isWanted;
    await this.#ledger.remove(this.plan.name);
    if (!wasWanted) {
      return;
    }
    this.#deaths += 1;
    const willRestart = this.#deaths < DEATHS_BEFORE_GIVING_UP;
    const lines = await lastLogLines(this.plan.logFile, 10);
    this.#events.onDeath(this.plan.name, reason, lines, willRestart);
    if (!willRestart) {
      return;
    }
    await delay(Math.min(FIRST_BACKOFF_MS * 2 ** (this.#deaths - 1), LONGEST_BACKOFF_MS));
    if (!this.#isWanted) {
      return;
    }
    try {
      await this.#spawn();
      await this.#untilReady();
      this.#events.onRestart(this.plan.name);
      const deaths = this.#deaths;
      setTimeout(() => {
        if (this.#deaths === deaths) {
          this.#deaths = 0;
        }
      }, STEADY_MS).unref();
    } catch {
      // Its exit was reported above, or it runs and is merely slow: the log has the details.
      this.#isWanted = true;
    }
  }

  /** Graceful stop: SIGTERM, and SIGKILL once `stopTimeout_ms` has passed. Resolves when it is gone. */
  async stop(): Promise<{ wasKilled: boolean }> {
    this.#isWanted = false;
    const pid = this.#child?.pid;
    if (pid === undefined) {
      return { wasKilled: false };
    }
    this.signal('SIGTERM');
    const timer = new AbortController();
    const wasKilled = await Promise.race([
      this.#exited.then(() => false),
      delayUnless(this.plan.stopTimeoutMs, timer.signal).then(() => true),
    ]);
    timer.abort();
    if (wasKilled) {
      this.signal('SIGKILL');
      await this.#exited;
    }
    return { wasKilled };
  }

  /** kill -9 as an injected fault: it is not restarted. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    this.signal('SIGKILL');
    await this.#exited;
  }

  signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid !== undefined) {
      // The whole process group, including the child's children.
      process.kill(-pid, signal);
    }
  }
}

function delayUnless(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
