// The main thread's side of the lease thread, which keeps this process's leases (see `run-lease-thread.ts`). Whether a lease is valid is
// read from memory that both threads share. A main thread that was blocked needs no message to know, and an unread message only makes it
// more careful.
import { Worker } from 'node:worker_threads';
import type { LeaseOwner } from '@penstock/metadata-journal';
import { every, type Logger } from '@penstock/platform';
import type { HostClock } from '../clock.ts';
import { databaseMsAt } from '../database-clock.ts';
import { HostTimes, isBefore } from '../host-times.ts';
import type { KeptLease, LeaseAnswer, LeaseEvents, LeaseHolder } from '../lease-keeper.ts';
import type { FromThread, LeaseThreadData, ThreadAnswer, ToThread } from './messages.ts';
import { SharedDeadline, SharedTimes } from './shared-memory.ts';

/** A main thread that is blocked for longer loses its leases. The longest decode ever measured took 5 s. */
const MAX_SILENCE_MS = 30_000;
const HEARTBEAT_INTERVAL_MS = 500;
/** A dead thread is restarted after this pause: the cause of its death may persist. */
const RESTART_PAUSE_MS = 500;
/** The thread needs a few hundred bytes per lease, and one answer from PostgreSQL. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const THREAD_DIED = 'the lease thread of this process died';

export interface LeaseThreadOptions {
  /** Connection URLs by cell name; `main` is the control database. */
  cells: ReadonlyMap<string, string>;
  owner: LeaseOwner;
  ttlMs: number;
  clock: HostClock;
  logger: Logger;
  maxSilenceMs?: number;
  /** For tests that kill the thread. */
  startWorker?: (data: LeaseThreadData) => Worker;
}

interface Asked {
  events: LeaseEvents;
  deadline: SharedDeadline;
  /** Set until the thread has answered. */
  acquiring: PromiseWithResolvers<ThreadAnswer> | undefined;
  releasing: PromiseWithResolvers<void> | undefined;
}

export class LeaseThread implements LeaseHolder {
  /** Resolves after the thread's first attempt to read the time, successful or not. */
  readonly started: Promise<void>;
  readonly #options: LeaseThreadOptions;
  readonly #times = new SharedTimes();
  readonly #host: HostTimes;
  readonly #asked = new Map<number, Asked>();
  readonly #hasStarted = Promise.withResolvers<void>();
  readonly #stopHeartbeat: () => void;
  #cancelRestart: () => void = () => undefined;
  #worker: Worker | undefined;
  #stopping: PromiseWithResolvers<void> | undefined;
  #lastLease = 0;
  #obstacle: string | undefined;

  constructor(options: LeaseThreadOptions) {
    this.#options = options;
    this.#host = new HostTimes(options.clock);
    this.started = this.#hasStarted.promise;
    this.#beat();
    this.#stopHeartbeat = every(HEARTBEAT_INTERVAL_MS, () => this.#beat(), { timers: options.clock });
    this.#start();
  }

  async acquire(clusterId: string, events: LeaseEvents): Promise<LeaseAnswer> {
    if (this.#worker === undefined) {
      return { outcome: 'refused', reason: THREAD_DIED };
    }
    this.#lastLease += 1;
    const lease = this.#lastLease;
    const acquiring = Promise.withResolvers<ThreadAnswer>();
    const asked: Asked = { events, deadline: new SharedDeadline(), acquiring, releasing: undefined };
    this.#asked.set(lease, asked);
    this.#post({ kind: 'acquire', lease, clusterId, deadline: asked.deadline.buffer });
    const answer = await acquiring.promise;
    return answer.outcome === 'acquired' ? { outcome: 'acquired', lease: this.#kept(lease, asked, clusterId) } : answer;
  }

  nowMs(): number {
    const reading = this.#times.database;
    if (reading === undefined) {
      throw new Error('the clock of the database has not been read yet');
    }
    return Math.floor(databaseMsAt(reading, this.#options.clock.monotonicMs()));
  }

  get hasTime(): boolean {
    return this.#times.database !== undefined;
  }

  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  get clockErrorMs(): number {
    return this.#times.clockErrorMs;
  }

  /** Resolves when the thread has closed its connections and exited. */
  async stop(): Promise<void> {
    if (this.#stopping === undefined) {
      this.#stopping = Promise.withResolvers();
      this.#cancelRestart();
      if (this.#worker === undefined) {
        this.#stopping.resolve();
      } else {
        this.#post({ kind: 'stop' });
      }
    }
    await this.#stopping.promise;
    this.#stopHeartbeat();
  }

  #kept(lease: number, asked: Asked, clusterId: string): KeptLease {
    const release = async (to?: LeaseOwner): Promise<void> => {
      if (this.#asked.get(lease) !== asked) {
        return;
      }
      if (asked.releasing === undefined) {
        asked.releasing = Promise.withResolvers();
        this.#post({ kind: 'release', lease, to });
      }
      await asked.releasing.promise;
    };
    return {
      clusterId,
      isValid: () => this.#asked.get(lease) === asked && isBefore(this.#host.now(), asked.deadline.read()),
      release: () => release(),
      handOver: release,
    };
  }

  #beat(): void {
    this.#times.beat(this.#options.clock.monotonicMs());
  }

  #post(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #start(): void {
    const { cells, owner, ttlMs, logger, maxSilenceMs = MAX_SILENCE_MS } = this.#options;
    const { startWorker = startLeaseWorker } = this.#options;
    const times = this.#times.buffer;
    const worker = startWorker({ cells, owner, ttlMs, maxSilenceMs, logLevel: logger.level, times });
    this.#worker = worker;
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', (error) => logger.error({ err: error }, 'the lease thread failed'));
    worker.on('exit', (code) => this.#ended(code));
  }

  #hear(message: FromThread): void {
    const { logger } = this.#options;
    switch (message.kind) {
      case 'started':
        this.#hasStarted.resolve();
        break;
      case 'answer': {
        const asked = this.#asked.get(message.lease);
        if (message.answer.outcome !== 'acquired') {
          this.#asked.delete(message.lease);
        }
        asked?.acquiring?.resolve(message.answer);
        break;
      }
      case 'released': {
        const asked = this.#forget(message.lease);
        asked?.releasing?.resolve();
        break;
      }
      case 'failed': {
        const asked = this.#forget(message.lease);
        asked?.acquiring?.reject(message.error);
        asked?.releasing?.reject(message.error);
        break;
      }
      case 'lost':
        this.#lose(message.lease, message.reason);
        break;
      case 'give-up':
        this.#asked.get(message.lease)?.events.onGiveUp(message.reason);
        break;
      case 'obstacle':
        this.#setObstacle(message.obstacle);
        break;
      case 'renewal-failed':
        logger.warn({ err: message.error, cell: message.cell }, 'leases could not be renewed; trying again');
        break;
      case 'main-was-silent':
        logger.error({ silentMs: message.silentMs }, 'this process stood still: its leases were left to lapse');
        break;
      case 'suspended':
        logger.warn({ forMs: message.forMs }, 'this machine was suspended: its leases are checked');
        break;
      case 'connection-failed':
        logger.warn(
          { message: message.message, pool: message.pool, cell: message.cell },
          'an idle database connection failed',
        );
        break;
    }
  }

  #setObstacle(obstacle: string | undefined): void {
    this.#obstacle = obstacle;
    if (obstacle === undefined) {
      this.#options.logger.info('clusters can be owned again');
    } else {
      this.#options.logger.error({ obstacle }, 'this process owns no clusters');
    }
  }

  #forget(lease: number): Asked | undefined {
    const asked = this.#asked.get(lease);
    this.#asked.delete(lease);
    return asked;
  }

  /** A release in progress also resolves: the lease is gone either way. */
  #lose(lease: number, reason: string): void {
    const asked = this.#forget(lease);
    asked?.releasing?.resolve();
    asked?.events.onLost(reason);
  }

  #ended(code: number): void {
    this.#worker = undefined;
    if (this.#stopping !== undefined) {
      this.#stopping.resolve();
    } else {
      this.#options.logger.error({ code }, 'the lease thread ended: its leases count as lost; starting another one');
      this.#setObstacle(THREAD_DIED);
      this.#cancelRestart = this.#options.clock.after(RESTART_PAUSE_MS, () => {
        this.#start();
        this.#setObstacle(undefined);
      });
    }
    this.#hasStarted.resolve();
    for (const [lease, { acquiring }] of [...this.#asked]) {
      acquiring?.resolve({ outcome: 'refused', reason: THREAD_DIED });
      this.#lose(lease, THREAD_DIED);
    }
  }
}

export function startLeaseWorker(data: LeaseThreadData): Worker {
  return new Worker(new URL('./run-lease-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: RESOURCE_LIMITS,
  });
}
