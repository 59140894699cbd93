// Lists this process for the others, and hands over clusters to them: all when an operator drains this process, the surplus when it owns more
// than its share. One at a time, quiet ones first.
import type { LeaseOwner, ListedProcess, Processes } from '@penstock/metadata-journal';
import { every, type Logger } from '@penstock/platform';
import { counter, type Family, gauge } from '@penstock/telemetry';
import type { Clock } from '../clock.ts';
import { type BalanceView, drainRefusal, nextReceiver } from './next-receiver.ts';

const REPORT_INTERVAL_MS = 2_000;
/** A process that has not reported for this time gets no clusters. */
const REPORT_TTL_MS = 10_000;
/** Balance waits this long after a process came or went: in a rolling restart, the next one follows. */
const SETTLE_MS = 15_000;
/** Between two moves, so that clients of many clusters do not all reconnect at once. */
const PAUSE_MS = 250;

export type MoveReason = 'drain' | 'balance';

/** The owners in this process, as the balancer needs them. */
export interface MovableClusters {
  /** How many clusters are open here, or being opened. */
  readonly clusterCount: number;
  /** The open ones, the quietest first. */
  quietestFirst(): readonly string[];
  /** Closes a cluster in an orderly way and passes its lease on. @returns whether it was this process's to pass on */
  handOver(clusterId: string, to: LeaseOwner): Promise<boolean>;
}

export interface BalancerOptions {
  processes: Processes;
  owner: LeaseOwner;
  clusters: MovableClusters;
  /** Whether this process would open further clusters. */
  isAccepting: () => boolean;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  logger: Logger;
}

export class Balancer {
  readonly #moves = new Map<MoveReason, number>([
    ['drain', 0],
    ['balance', 0],
  ]);
  #moveSeconds = 0;
  #failedMoves = 0;
  readonly #options: BalancerOptions;
  readonly #stopTimer: () => Promise<void>;
  #view: BalanceView | undefined;
  #isShedding = false;
  #isStopped = false;
  #knownIds = '';
  #settledAtMs = 0;

  constructor(options: BalancerOptions) {
    this.#options = options;
    this.#stopTimer = every(REPORT_INTERVAL_MS, () => this.#round(), { timers: options.clock, startsNow: true });
  }

  metrics(): Family[] {
    const view = this.#view;
    return [
      gauge('penstock_metadata_processes', 'Metadata processes that are alive, as of the last report of this one.', [
        { value: view?.processes.length ?? 0 },
      ]),
      gauge('penstock_metadata_draining', 'Whether an operator drains this process.', [
        { value: view?.self.isDraining === true ? 1 : 0 },
      ]),
      counter(
        'penstock_metadata_moves',
        'Clusters handed over to another process, because this one is drained or owned more than its share.',
        [...this.#moves].map(([reason, value]) => ({ labels: { reason }, value })),
      ),
      counter(
        'penstock_metadata_move_seconds',
        'What these moves took: from the first call that had to wait until the other process can own the cluster.',
        [{ value: this.#moveSeconds }],
      ),
      counter(
        'penstock_metadata_moves_failed',
        'Moves whose lease could not be passed on. The cluster has an owner again when the lease has expired.',
        [{ value: this.#failedMoves }],
      ),
    ];
  }

  /** Why this process should open no further clusters. */
  refusal(): string | undefined {
    return this.#view === undefined ? undefined : drainRefusal(this.#view);
  }

  /** Waits for a move that is under way. From then on nobody hands clusters over to this process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#stopTimer();
    try {
      await this.#options.processes.leave(this.#options.owner.ownerId);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'this process is still listed until its time passes');
    }
  }

  async #round(): Promise<void> {
    try {
      await this.#report();
      while (!this.#isStopped && (await this.#moveOne())) {
        await this.#pause();
        await this.#report();
      }
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'the metadata processes could not be listed; trying again');
    }
  }

  async #report(): Promise<void> {
    const { processes, owner, clusters, isAccepting, clock } = this.#options;
    const own = { ...owner, clusters: clusters.clusterCount, isAccepting: isAccepting() };
    const listed = await processes.report(own, REPORT_TTL_MS);
    const self = listed.find(({ ownerId }) => ownerId === owner.ownerId) ?? { ...own, isDraining: false };
    const ids = listed.map(({ ownerId }) => ownerId).join();
    if (ids !== this.#knownIds) {
      this.#knownIds = ids;
      this.#settledAtMs = clock.monotonicMs() + SETTLE_MS;
    }
    this.#view = { self, processes: listed, isShedding: this.#isShedding };
  }

  /** @returns whether a cluster was handed over */
  async #moveOne(): Promise<boolean> {
    const { clusters, clock, processes } = this.#options;
    const view = this.#view;
    if (view === undefined || (!view.self.isDraining && clock.monotonicMs() < this.#settledAtMs)) {
      return false;
    }
    const to = nextReceiver(view);
    this.#isShedding = to !== undefined && !view.self.isDraining;
    const [quietest] = clusters.quietestFirst();
    if (to === undefined || quietest === undefined) {
      return false;
    }
    await processes.expect(to.ownerId);
    return await this.#handOver(quietest, to, view.self.isDraining ? 'drain' : 'balance');
  }

  async #handOver(clusterId: string, to: ListedProcess, reason: MoveReason): Promise<boolean> {
    const { clusters, clock, logger } = this.#options;
    const startedMs = clock.monotonicMs();
    try {
      const { ownerId, ownerUrl, adminUrl } = to;
      if (!(await clusters.handOver(clusterId, { ownerId, ownerUrl, adminUrl }))) {
        return false;
      }
    } catch (error) {
      this.#failedMoves += 1;
      logger.warn({ err: error, clusterId, to: to.ownerUrl }, 'a cluster could not be handed over; its lease lapses');
      return false;
    }
    const tookMs = clock.monotonicMs() - startedMs;
    this.#moves.set(reason, (this.#moves.get(reason) ?? 0) + 1);
    this.#moveSeconds += tookMs / 1_000;
    logger.info({ clusterId, to: to.ownerUrl, reason, tookMs: Math.round(tookMs) }, 'cluster handed over');
    return true;
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => this.#options.clock.after(PAUSE_MS, resolve));
  }
}
