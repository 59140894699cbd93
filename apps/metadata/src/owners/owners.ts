// The owners of one process: opens a cluster on its first request when nobody holds its lease, and lets go of it in good order.
import {
  type ClusterPast,
  HistoryLost,
  type Journal,
  type LeaseOwner,
  type Leases,
  type LostTail,
  type Stops,
} from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { Traces } from '../traces/traces.ts';
import { type Clock, repeat } from './clock.ts';
import type { ClusterDirectory, ClusterRecord } from './cluster-directory.ts';
import { ClusterDeleted, ClusterStopped, NotOwner } from './errors.ts';
import { HistoryGuard } from './history-guard.ts';
import type { Ids } from './ids.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { Owner } from './owner.ts';
import { type Recovered, recover } from './recovery.ts';
import type { SnapshotFacts } from './take-snapshot.ts';

/** How soon a change of settings or a deletion in the control plane reaches the agents. */
const DIRECTORY_INTERVAL_MS = 2_000;
/** How soon a process closes a cluster that another one stopped. */
const STOPS_INTERVAL_MS = 2_000;
/** How long it is remembered that another process holds a lease, so that a storm of requests is one look at the database. */
const HELD_BY_OTHER_MEMORY_MS = 250;

export interface OwnersOptions {
  journal: Journal;
  leases: Leases;
  stops: Stops;
  directory: ClusterDirectory;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Undefined where they are off. */
  traces?: Traces | undefined;
  /** Writes a snapshot without holding this thread up. */
  takeSnapshot: (clusterId: string, throughSeq: number) => Promise<SnapshotFacts>;
  /** This process, as the others see it. */
  self: LeaseOwner;
  leaseTtlMs: number;
  initialRebalanceDelayMs: number;
}

interface HeldByOther {
  ownerUrl: string;
  untilMs: number;
}

export class Owners {
  readonly #options: OwnersOptions;
  readonly #keeper: LeaseKeeper;
  readonly #guard: HistoryGuard;
  readonly #owners = new Map<string, Promise<Owner>>();
  readonly #open = new Map<string, Owner>();
  readonly #heldByOther = new Map<string, HeldByOther>();
  readonly #stopDirectory: () => void;
  readonly #stopStops: () => void;
  #isShuttingDown = false;

  constructor(options: OwnersOptions) {
    const { journal, leases, stops, self, leaseTtlMs, clock, logger } = options;
    this.#options = options;
    this.#keeper = new LeaseKeeper({
      leases,
      owner: self,
      ttlMs: leaseTtlMs,
      clock,
      onLost: (clusterId) => this.#open.get(clusterId)?.leaseLost(),
      onRenewalFailed: (error) => logger.warn({ err: error }, 'leases could not be renewed; trying again'),
    });
    this.#guard = new HistoryGuard({ journal, stops, clock, logger });
    this.#stopStops = repeat(clock, STOPS_INTERVAL_MS, () => this.#followStops());
    this.#stopDirectory = repeat(clock, DIRECTORY_INTERVAL_MS, () => this.#followDirectory());
  }

  /** The owners that are open, for metrics. */
  get openOwners(): Iterable<Owner> {
    return this.#open.values();
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  /**
   * The owner of a cluster in this process.
   * @throws NotOwner when another process owns it, or nobody can for the moment. ClusterDeleted. ClusterStopped.
   */
  async get(clusterId: string): Promise<Owner> {
    const present = this.#owners.get(clusterId);
    if (present !== undefined) return await present;
    if (this.#isShuttingDown) throw new NotOwner(clusterId);
    this.#guard.requireRunning(clusterId);
    const held = this.#heldByOther.get(clusterId);
    if (held !== undefined) {
      if (this.#options.clock.monotonicMs() < held.untilMs) throw new NotOwner(clusterId, held.ownerUrl);
      this.#heldByOther.delete(clusterId);
    }
    const opening = this.#openOwner(clusterId);
    this.#owners.set(clusterId, opening);
    opening.catch(() => this.#forget(clusterId, opening));
    return await opening;
  }

  /** Refuses new clusters, finishes what is under way, and releases every lease so that others can take over at once. */
  async shutDown(): Promise<void> {
    this.#isShuttingDown = true;
    this.#stopDirectory();
    this.#stopStops();
    await Promise.allSettled(
      [...this.#owners].map(async ([clusterId, opening]) => {
        const owner = await opening;
        await owner.retire();
        await this.#keeper.release(clusterId);
      }),
    );
    this.#keeper.stop();
  }

  async #openOwner(clusterId: string): Promise<Owner> {
    const { journal, clock, ids, initialRebalanceDelayMs, traces } = this.#options;
    const logger = this.#options.logger.child({ clusterId });
    try {
      const record = await this.#liveCluster(clusterId);
      await this.#takeLease(clusterId);
      const cluster = { clusterId, organizationId: record.organizationId };
      const startedMs = clock.monotonicMs();
      const past = await this.#guard.admit(clusterId);
      const recovering = recover(journal, cluster, clock, (seq, error) => {
        logger.error({ err: error, seq }, 'snapshot cannot be read; using what lies before it');
      });
      const recovered = await this.#unlessLost(clusterId, past, recovering);
      const owner = new Owner(
        {
          cluster,
          journal,
          clock,
          ids,
          logger,
          traces,
          initialRebalanceDelayMs,
          takeSnapshot: (throughSeq) => this.#options.takeSnapshot(clusterId, throughSeq),
          isLeaseValid: () => this.#keeper.isValid(clusterId),
          history: past.history,
          spared: past.spared,
          onHistoryLost: (loss) => this.#historyLost(clusterId, loss),
          onClosed: ({ witnessedPosition }) => {
            this.#guard.remember(clusterId, witnessedPosition);
            this.#forget(clusterId);
          },
        },
        recovered,
      );
      this.#open.set(clusterId, owner);
      owner.applySettings(settingsOf(record));
      const { position, replayedEntries, replayedBytes } = recovered;
      const openedMs = Math.round(clock.monotonicMs() - startedMs);
      logger.info({ lastSeq: position.seq, replayedEntries, replayedBytes, openedMs }, 'cluster opened');
      return owner;
    } catch (error) {
      if (error instanceof NotOwner || error instanceof ClusterDeleted) throw error;
      await this.#keeper.release(clusterId).catch(() => undefined);
      if (error instanceof ClusterStopped) throw error;
      logger.error({ err: error }, 'cluster could not be opened');
      throw new NotOwner(clusterId, undefined, error);
    }
  }

  async #liveCluster(clusterId: string): Promise<ClusterRecord> {
    const [record] = await this.#options.directory.lookUp([clusterId]);
    if (record === undefined || record.isDeleted) throw new ClusterDeleted(clusterId);
    return record;
  }

  async #takeLease(clusterId: string): Promise<void> {
    const attempt = await this.#keeper.acquire(clusterId);
    if (attempt.outcome === 'acquired') return;
    const { ownerUrl, expiresInMs } = attempt;
    const untilMs = this.#options.clock.monotonicMs() + Math.min(expiresInMs, HELD_BY_OTHER_MEMORY_MS);
    this.#heldByOther.set(clusterId, { ownerUrl, untilMs });
    throw new NotOwner(clusterId, ownerUrl);
  }

  async #followDirectory(): Promise<void> {
    if (this.#open.size === 0) return;
    let records: ClusterRecord[];
    try {
      records = await this.#options.directory.lookUp([...this.#open.keys()]);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'settings of clusters could not be read; trying again');
      return;
    }
    const byId = new Map(records.map((record) => [record.clusterId, record]));
    for (const [clusterId, owner] of [...this.#open]) {
      const record = byId.get(clusterId);
      if (record === undefined || record.isDeleted) await this.#closeDeleted(clusterId, owner);
      else owner.applySettings(settingsOf(record));
    }
  }

  async #closeDeleted(clusterId: string, owner: Owner): Promise<void> {
    owner.closeDeleted();
    await this.#keeper.release(clusterId).catch((error: unknown) => {
      this.#options.logger.warn({ err: error, clusterId }, 'the lease of a deleted cluster could not be released');
    });
  }

  /** A snapshot bears witness, too: of the entry that it stands at. */
  async #unlessLost(clusterId: string, past: ClusterPast, recovering: Promise<Recovered>): Promise<Recovered> {
    try {
      return await recovering;
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      const witnessed = { history: past.history, ...error.expected };
      const stopped = await this.#guard.lost(clusterId, { witness: 'a snapshot', witnessed, last: error.last });
      throw stopped ?? error;
    }
  }

  async #historyLost(clusterId: string, loss: LostTail): Promise<ClusterStopped | undefined> {
    const stopped = await this.#guard.lost(clusterId, loss);
    if (stopped !== undefined) await this.#closeStopped(stopped);
    return stopped;
  }

  async #followStops(): Promise<void> {
    try {
      for (const stopped of await this.#guard.stoppedAmong([...this.#open.keys()])) await this.#closeStopped(stopped);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'whether clusters are stopped could not be read; trying again');
    }
  }

  async #closeStopped(stopped: ClusterStopped): Promise<void> {
    this.#open.get(stopped.clusterId)?.closeStopped(stopped);
    await this.#keeper.release(stopped.clusterId).catch((error: unknown) => {
      this.#options.logger.warn(
        { err: error, clusterId: stopped.clusterId },
        'the lease of a stopped cluster could not be released',
      );
    });
  }

  #forget(clusterId: string, opening?: Promise<Owner>): void {
    if (opening !== undefined && this.#owners.get(clusterId) !== opening) return;
    this.#owners.delete(clusterId);
    this.#open.delete(clusterId);
  }
}

function settingsOf(record: ClusterRecord) {
  const { autoCreateTopics, defaultPartitions, mode, writesRefusedReason } = record;
  return {
    autoCreateTopics,
    defaultPartitions,
    mode,
    writesRefused: writesRefusedReason !== null,
    writesRefusedReason: writesRefusedReason ?? '',
  };
}
