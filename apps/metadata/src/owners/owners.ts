// The owners of one process. Opens a cluster on its first request if no process holds its lease, and closes it in an orderly way.
import type { ClusterState, Command, MergePolicy, RulesVersion } from '@penstock/metadata-core';
import {
  type ClusterIdentity,
  type ClusterPast,
  type DeadFiles,
  HistoryLost,
  type Journal,
  type LeaseOwner,
  type Leases,
  type LostTail,
  type Stops,
} from '@penstock/metadata-journal';
import { every, type Logger, type RootSecrets } from '@penstock/platform';
import type { StateBudget } from '../memory/state-budget.ts';
import type { Traces } from '../traces/traces.ts';
import type { Clock } from './clock.ts';
import type { ClusterDirectory, ClusterRecord } from './cluster-directory.ts';
import { CommitTimes } from './commit-times.ts';
import { ClusterDeleted, ClusterStopped, NotOwner } from './errors.ts';
import { HistoryGuard } from './history-guard.ts';
import type { Ids } from './ids.ts';
import { JobPlans } from './job-plans.ts';
import type { KeptLease, LeaseHolder } from './lease-keeper.ts';
import { StateBroken } from './load-state.ts';
import { MergeCounts } from './merge-counts.ts';
import { Owner } from './owner.ts';
import type { Patterns } from './patterns/patterns.ts';
import { Quarantine } from './quarantine.ts';
import { type Recovered, recover } from './recovery.ts';

/** Bounds how long a change of settings or a deletion in the control plane takes to reach the agents. */
const DIRECTORY_INTERVAL_MS = 2_000;
/** Bounds how long a process serves a cluster that another one stopped. */
const STOPS_INTERVAL_MS = 2_000;
/** How long to cache that another process holds a lease, so that a storm of requests causes one database query. */
const HELD_BY_OTHER_MEMORY_MS = 250;
/** Like the interval above, for a cluster that is moving between cells, which is soon available in the other one. */
const MOVING_MEMORY_MS = 20;
/** How long to name the process that a cluster was handed over to, without asking the database. */
const HANDED_OVER_MEMORY_MS = 1_000;

export interface OwnersOptions {
  journal: Journal;
  /** Keeps the leases and the time that all owners' commands use. Stopped together with the owners. */
  keeper: LeaseHolder;
  /** Names another process that owns a cluster, while this one must not. Absent: it is not named then. */
  holder?: Leases['holder'] | undefined;
  stops: Stops;
  directory: ClusterDirectory;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Undefined when tracing is disabled. */
  traces?: Traces | undefined;
  /** How long to keep journal entries that recovery no longer needs, in milliseconds. */
  journalKeptMs: number;
  /** The dead files of all clusters. */
  deadFiles: DeadFiles;
  /** How long objects stay that no partition refers to any more, in milliseconds. */
  restoreWindowMs: number;
  /** Raises clusters to this rules level when they are opened. Absent: the newest. */
  raiseRulesTo?: RulesVersion | undefined;
  initialRebalanceDelayMs: number;
  /** The resolver of regular expressions, as in `OwnerOptions`. */
  patterns?: Patterns | undefined;
  turn?: ((cluster: ClusterIdentity) => Promise<void> | undefined) | undefined;
  /** The root secrets from which the keys of job plans are derived. All processes of the service share them. */
  jobPlanSecrets: RootSecrets;
  /** When files are merged; for simulations. Absent: the default policy of all clusters. */
  mergePolicy?: MergePolicy | undefined;
  /** For simulations: called after each command that an owner applies. */
  afterCommand?: ((state: ClusterState, command: Command) => void) | undefined;
  /** For simulations: called with each command that breaks an invariant. */
  onQuarantined?: ((cause: unknown, command: Command) => void) | undefined;
  /** The checks of a loaded state; for tests. Absent: all invariants. */
  checks?: ((state: ClusterState) => Iterable<void>) | undefined;
  /** How much the clusters of one organization may hold here. Absent: each as much as the state machine allows. */
  stateBudget?: StateBudget | undefined;
  /** The reason why this process should open no cluster that it does not hold yet. Absent: it never refuses. */
  refusal?: () => string | undefined;
}

interface HeldByOther {
  /** Undefined: no process can own the cluster at the moment. */
  ownerUrl: string | undefined;
  adminUrl: string | undefined;
  untilMs: number;
}

/** One opening of a cluster, and the owner that it resulted in. */
class Seat {
  readonly clusterId: string;
  readonly opened = Promise.withResolvers<Owner>();
  lease: KeptLease | undefined;
  owner: Owner | undefined;
  /** The control plane's latest record of the cluster. */
  record: ClusterRecord | undefined;
  #refusal: Error | undefined;

  constructor(clusterId: string) {
    this.clusterId = clusterId;
    this.opened.promise.catch(() => undefined);
  }

  /** Aborts the opening at its next step. */
  refuse(error: Error): void {
    this.#refusal ??= error;
  }

  /** Checked after each step of the opening. @throws the error that it was refused with */
  requireWanted(): void {
    if (this.#refusal !== undefined) {
      throw this.#refusal;
    }
  }
}

export class Owners {
  readonly mergeCounts = new MergeCounts();
  readonly quarantine = new Quarantine();
  readonly commitTimes = new CommitTimes();
  readonly #options: OwnersOptions;
  readonly #keeper: LeaseHolder;
  readonly #guard: HistoryGuard;
  /** The clock that owners read: the database's. */
  readonly #clock: Clock;
  readonly #seats = new Map<string, Seat>();
  readonly #heldByOther = new Map<string, HeldByOther>();
  /** Leases of owners that stepped down: this process keeps those clusters, even while it refuses others. */
  readonly #leftBehind = new Map<string, KeptLease>();
  /** Clusters that are being handed over. Calls wait, so that they are sent on when the other process can answer them. */
  readonly #handOvers = new Map<string, Promise<void>>();
  /** Writes to the directory. */
  #stores = 0;
  readonly #stopDirectory: () => void;
  readonly #stopStops: () => void;
  #isShuttingDown = false;

  constructor(options: OwnersOptions) {
    const { keeper, clock, journal, stops, logger } = options;
    this.#options = options;
    this.#keeper = keeper;
    this.#clock = {
      nowMs: () => keeper.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, fire) => clock.after(delayMs, fire),
      soon: (fire) => clock.soon(fire),
    };
    this.#guard = new HistoryGuard({ journal, stops, clock, logger });
    this.#stopDirectory = every(DIRECTORY_INTERVAL_MS, () => this.#followDirectory(), { timers: clock });
    this.#stopStops = every(STOPS_INTERVAL_MS, () => this.#followStops(), { timers: clock });
  }

  /** The owners that are open, for metrics. */
  get openOwners(): Iterable<Owner> {
    return [...this.#seats.values()].flatMap(({ owner }) => owner ?? []);
  }

  /** How many clusters are open here, or being opened. */
  get clusterCount(): number {
    return this.#seats.size;
  }

  /** The open clusters: those without traffic first, and of these those that wrote the least since they were opened. */
  quietestFirst(): string[] {
    return [...this.openOwners]
      .map((owner) => ({
        clusterId: owner.cluster.clusterId,
        bytes: owner.recentBytes(),
        entries: owner.entriesAppended,
      }))
      .sort((a, b) => a.bytes - b.bytes || a.entries - b.entries)
      .map(({ clusterId }) => clusterId);
  }

  /**
   * Closes a cluster in an orderly way and passes its lease to another process, which opens it when it is first called.
   * @returns whether it was open here
   * @throws when the lease could not be passed on. It expires then.
   */
  async handOver(clusterId: string, to: LeaseOwner): Promise<boolean> {
    const seat = this.#seats.get(clusterId);
    if (seat?.owner === undefined || seat.lease === undefined || this.#isShuttingDown) {
      return false;
    }
    const done = Promise.withResolvers<void>();
    this.#handOvers.set(clusterId, done.promise);
    try {
      seat.refuse(new NotOwner(clusterId));
      await seat.owner.retire();
      this.#leftBehind.delete(clusterId);
      await seat.lease.handOver(to);
      this.#rememberHeld(clusterId, to, HANDED_OVER_MEMORY_MS);
    } finally {
      this.#handOvers.delete(clusterId);
      done.resolve();
    }
    return true;
  }

  /**
   * The owner of a cluster in this process. Opens the cluster if need be.
   * @throws NotOwner when another process owns it, or no process can for now. ClusterDeleted. ClusterStopped.
   */
  async get(clusterId: string): Promise<Owner> {
    const handOver = this.#handOvers.get(clusterId);
    if (handOver !== undefined) {
      await handOver;
    }
    const present = this.#seats.get(clusterId);
    if (present !== undefined) {
      return await present.opened.promise;
    }
    if (this.#isShuttingDown) {
      throw new NotOwner(clusterId);
    }
    this.#guard.requireRunning(clusterId);
    const held = this.#heldByOther.get(clusterId);
    if (held !== undefined) {
      if (this.#clock.monotonicMs() < held.untilMs) {
        throw new NotOwner(clusterId, held.ownerUrl, undefined, undefined, held.adminUrl);
      }
      this.#heldByOther.delete(clusterId);
    }
    const reason = this.#refusal(clusterId);
    if (reason !== undefined) {
      throw await this.#refused(clusterId, reason);
    }
    const seat = new Seat(clusterId);
    this.#seats.set(clusterId, seat);
    void this.#openSeat(seat);
    return await seat.opened.promise;
  }

  /** Refuses new clusters, finishes calls in progress, and releases every lease so that others can take over at once. */
  async shutDown(): Promise<void> {
    this.#isShuttingDown = true;
    this.#stopDirectory();
    this.#stopStops();
    await Promise.allSettled(
      [...this.#seats.values()].map(async (seat) => {
        await this.#vacate(seat, new NotOwner(seat.clusterId));
        await seat.opened.promise;
      }),
    );
    await Promise.all(this.#handOvers.values());
    await this.#keeper.stop();
  }

  #refusal(clusterId: string): string | undefined {
    const { obstacle } = this.#keeper;
    const isKept = this.#leftBehind.get(clusterId)?.isValid() === true;
    return obstacle ?? (isKept ? undefined : this.#options.refusal?.());
  }

  /** The reason, with the owner's name: a caller may know no other process than this one. */
  async #refused(clusterId: string, reason: string): Promise<NotOwner> {
    try {
      const holder = await this.#options.holder?.(clusterId);
      if (holder !== undefined) {
        return this.#rememberHeld(clusterId, holder, Math.min(holder.expiresInMs, HELD_BY_OTHER_MEMORY_MS));
      }
    } catch (error) {
      this.#options.logger.warn({ err: error, clusterId }, 'the owner of a cluster could not be looked up');
    }
    return new NotOwner(clusterId, undefined, undefined, reason);
  }

  async #openSeat(seat: Seat): Promise<void> {
    const { clusterId } = seat;
    const logger = this.#options.logger.child({ clusterId });
    try {
      seat.opened.resolve(await this.#openOwner(seat, logger));
    } catch (error) {
      this.#forget(seat);
      await this.#release(seat);
      if (error instanceof NotOwner || error instanceof ClusterDeleted || error instanceof ClusterStopped) {
        seat.opened.reject(error);
      } else {
        logger.error({ err: error }, 'cluster could not be opened');
        seat.opened.reject(new NotOwner(clusterId, undefined, error));
      }
    }
  }

  /** Checks after each step whether the lease was lost or the cluster deleted meanwhile. */
  async #openOwner(seat: Seat, logger: Logger): Promise<Owner> {
    const { journal, ids, initialRebalanceDelayMs, journalKeptMs, deadFiles, restoreWindowMs, traces } = this.#options;
    const { clusterId } = seat;
    const { organizationId } = await this.#liveCluster(seat);
    seat.requireWanted();
    const lease = await this.#takeLease(seat);
    seat.requireWanted();
    // The lease can expire during a slow acquisition or replay, and the entries just read may then be those of the next owner. Appending
    // after them would change what that owner, whose lease is valid, answers from.
    const requireLease = (): void => {
      seat.requireWanted();
      if (!lease.isValid()) {
        throw new NotOwner(clusterId);
      }
    };
    const cluster = { clusterId, organizationId };
    const startedMs = this.#clock.monotonicMs();
    const past = await this.#guard.admit(clusterId);
    seat.requireWanted();
    const recovering = recover(journal, cluster, this.#clock, {
      onSnapshotUnreadable: (seq, error) => {
        logger.error(
          { err: error, seq },
          'snapshot, or the journal behind it, cannot be used; using what lies before it',
        );
      },
      requireWanted: requireLease,
      raiseRulesTo: this.#options.raiseRulesTo,
      checks: this.#options.checks,
    });
    const recovered = await this.#unlessStopped(clusterId, past, recovering, requireLease);
    // No await from here on: from now on, lease events reach the owner.
    requireLease();
    const owner = new Owner(
      {
        cluster,
        journal,
        clock: this.#clock,
        ids,
        logger,
        traces,
        initialRebalanceDelayMs,
        journalKeptMs,
        deadFiles,
        restoreWindowMs,
        isLeaseValid: () => lease.isValid(),
        history: past.history,
        spared: past.spared,
        memory: this.#options.stateBudget?.open(organizationId, () => seat.record?.isPaying === true),
        mergeCounts: this.mergeCounts,
        quarantine: this.quarantine,
        commitTimes: this.commitTimes,
        jobPlans: new JobPlans(this.#options.jobPlanSecrets, clusterId),
        mergePolicy: this.#options.mergePolicy,
        afterCommand: this.#options.afterCommand,
        onQuarantined: this.#options.onQuarantined,
        patterns: this.#options.patterns,
        turn: () => this.#options.turn?.(cluster),
        onHistoryLost: (loss) => this.#historyLost(seat, loss),
        onClosed: ({ witnessedPosition }) => {
          this.#guard.remember(clusterId, witnessedPosition);
          this.#leftBehind.set(clusterId, lease);
          this.#forget(seat);
        },
      },
      recovered,
    );
    seat.owner = owner;
    if (seat.record !== undefined) {
      follow(owner, seat.record);
    }
    const { position, replayedEntries, replayedBytes } = recovered;
    const openedMs = Math.round(this.#clock.monotonicMs() - startedMs);
    const { rules } = owner;
    logger.info({ lastSeq: position.seq, replayedEntries, replayedBytes, openedMs, rules }, 'cluster opened');
    return owner;
  }

  async #liveCluster(seat: Seat): Promise<ClusterRecord> {
    const [record] = await this.#options.directory.lookUp([seat.clusterId]);
    if (record === undefined || record.isDeleted) {
      throw new ClusterDeleted(seat.clusterId);
    }
    seat.record = record;
    return record;
  }

  async #takeLease(seat: Seat): Promise<KeptLease> {
    const { clusterId } = seat;
    const answer = await this.#keeper.acquire(clusterId, {
      onLost: (reason) => {
        seat.refuse(new NotOwner(clusterId));
        seat.owner?.leaseLost(reason);
      },
      onGiveUp: (reason) => void this.#vacate(seat, new NotOwner(clusterId, undefined, undefined, reason)),
    });
    switch (answer.outcome) {
      case 'acquired':
        seat.lease = answer.lease;
        this.#leftBehind.delete(clusterId);
        return answer.lease;
      case 'refused':
        throw new NotOwner(clusterId, undefined, undefined, answer.reason);
      case 'moving':
        throw this.#rememberHeld(clusterId, {}, MOVING_MEMORY_MS);
      case 'held-by-other':
        throw this.#rememberHeld(clusterId, answer, Math.min(answer.expiresInMs, HELD_BY_OTHER_MEMORY_MS));
    }
  }

  #rememberHeld(
    clusterId: string,
    { ownerUrl, adminUrl }: { ownerUrl?: string | undefined; adminUrl?: string | undefined },
    forMs: number,
  ): NotOwner {
    this.#heldByOther.set(clusterId, { ownerUrl, adminUrl, untilMs: this.#clock.monotonicMs() + forMs });
    return new NotOwner(clusterId, ownerUrl, undefined, undefined, adminUrl);
  }

  /** Closes an owner in an orderly way, or aborts an opening at its next step, then releases the lease. */
  async #vacate(seat: Seat, reason: NotOwner): Promise<void> {
    seat.refuse(reason);
    if (seat.owner === undefined) {
      return;
    }
    await seat.owner.retire();
    await this.#release(seat);
  }

  /** Stores the default that a Kafka client chose for the cluster. Its owner applies it. */
  async storeMaxUncompressedBatchBytes(clusterId: string, bytes: number): Promise<void> {
    await this.#options.directory.setMaxUncompressedBatchBytes(clusterId, bytes);
    this.#stores += 1;
  }

  async #followDirectory(): Promise<void> {
    const asked = [...this.#seats.values()];
    if (asked.length === 0) {
      return;
    }
    const stores = this.#stores;
    let records: ClusterRecord[];
    try {
      records = await this.#options.directory.lookUp(asked.map(({ clusterId }) => clusterId));
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'settings of clusters could not be read; trying again');
      return;
    }
    // They may have been read before something was stored, and would undo it until the next time.
    if (this.#stores !== stores) {
      return;
    }
    const byId = new Map(records.map((record) => [record.clusterId, record]));
    for (const seat of asked) {
      const record = byId.get(seat.clusterId);
      if (record === undefined || record.isDeleted) {
        seat.refuse(new ClusterDeleted(seat.clusterId));
        seat.owner?.closeDeleted();
        if (seat.owner !== undefined) {
          await this.#release(seat);
        }
      } else {
        seat.record = record;
        if (seat.owner !== undefined) {
          follow(seat.owner, record);
        }
      }
    }
  }

  /**
   * A snapshot is a witness too: of the entry that it was taken at. And a broken state must not be served: the next owner
   * would load the same one.
   */
  async #unlessStopped(
    clusterId: string,
    past: ClusterPast,
    recovering: Promise<Recovered>,
    requireLease: () => void,
  ): Promise<Recovered> {
    try {
      return await recovering;
    } catch (error) {
      if (error instanceof StateBroken) {
        requireLease();
        throw await this.#guard.broken(clusterId, error.fault);
      }
      if (!(error instanceof HistoryLost)) {
        throw error;
      }
      const witnessed = { history: past.history, ...error.expected };
      const stopped = await this.#guard.lost(clusterId, { witness: 'a snapshot', witnessed, last: error.last });
      throw stopped ?? error;
    }
  }

  async #historyLost(seat: Seat, loss: LostTail): Promise<ClusterStopped | undefined> {
    const stopped = await this.#guard.lost(seat.clusterId, loss);
    if (stopped !== undefined) {
      await this.#closeStopped(seat, stopped);
    }
    return stopped;
  }

  async #followStops(): Promise<void> {
    try {
      for (const stopped of await this.#guard.stoppedAmong([...this.#seats.keys()])) {
        const seat = this.#seats.get(stopped.clusterId);
        if (seat !== undefined) {
          await this.#closeStopped(seat, stopped);
        }
      }
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'whether clusters are stopped could not be read; trying again');
    }
  }

  async #closeStopped(seat: Seat, stopped: ClusterStopped): Promise<void> {
    seat.refuse(stopped);
    if (seat.owner === undefined) {
      return;
    }
    seat.owner.closeStopped(stopped);
    await this.#release(seat);
  }

  async #release(seat: Seat): Promise<void> {
    if (this.#leftBehind.get(seat.clusterId) === seat.lease) {
      this.#leftBehind.delete(seat.clusterId);
    }
    try {
      await seat.lease?.release();
    } catch (error) {
      const { clusterId } = seat;
      this.#options.logger.warn({ err: error, clusterId }, 'a lease could not be released; it lapses');
    }
  }

  /** Does not remove the seat of a later opening of the cluster. */
  #forget(seat: Seat): void {
    if (this.#seats.get(seat.clusterId) === seat) {
      this.#seats.delete(seat.clusterId);
    }
  }
}

function follow(owner: Owner, record: ClusterRecord): void {
  owner.applySettings(settingsOf(record));
  owner.noteSuspension(record.isSuspended);
}

function settingsOf(record: ClusterRecord) {
  const {
    autoCreateTopics,
    defaultPartitions,
    offsetsRetentionMinutes,
    maxUncompressedBatchBytes,
    mode,
    writesRefusedReason,
  } = record;
  return {
    autoCreateTopics,
    defaultPartitions,
    offsetsRetentionMinutes,
    maxUncompressedBatchBytes,
    mode,
    writesRefused: writesRefusedReason !== null,
    writesRefusedReason: writesRefusedReason ?? '',
  };
}
