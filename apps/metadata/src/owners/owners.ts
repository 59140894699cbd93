// The owners of one process: opens a cluster on its first request when nobody holds its lease, and lets go of it in good order.
import type { Journal, LeaseOwner, Leases } from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { Traces } from '../traces/traces.ts';
import { type Clock, repeat } from './clock.ts';
import type { ClusterDirectory, ClusterRecord } from './cluster-directory.ts';
import { ClusterDeleted, NotOwner } from './errors.ts';
import type { Ids } from './ids.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { Owner } from './owner.ts';
import { recover } from './recovery.ts';
import type { SnapshotFacts } from './take-snapshot.ts';

/** How soon a change of settings or a deletion in the control plane reaches the agents. */
const DIRECTORY_INTERVAL_MS = 2_000;
/** How long it is remembered that another process holds a lease, so that a storm of requests is one look at the database. */
const HELD_BY_OTHER_MEMORY_MS = 250;
/** The same for a cluster between two cells, which is soon to be had in the other one. */
const MOVING_MEMORY_MS = 20;

export interface OwnersOptions {
  journal: Journal;
  leases: Leases;
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
  /** Undefined: nobody can own the cluster for the moment. */
  ownerUrl: string | undefined;
  untilMs: number;
}

export class Owners {
  readonly #options: OwnersOptions;
  readonly #keeper: LeaseKeeper;
  readonly #owners = new Map<string, Promise<Owner>>();
  readonly #open = new Map<string, Owner>();
  readonly #heldByOther = new Map<string, HeldByOther>();
  /** Clusters that are being given up because they move to another cell. */
  readonly #leaving = new Set<string>();
  readonly #stopDirectory: () => void;
  #isShuttingDown = false;

  constructor(options: OwnersOptions) {
    const { leases, self, leaseTtlMs, clock, logger } = options;
    this.#options = options;
    this.#keeper = new LeaseKeeper({
      leases,
      owner: self,
      ttlMs: leaseTtlMs,
      clock,
      onLost: (clusterId) => this.#open.get(clusterId)?.leaseLost(),
      onLeaving: (clusterId) => void this.#leave(clusterId),
      onRenewalFailed: (error, cell) => logger.warn({ err: error, cell }, 'leases could not be renewed; trying again'),
    });
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
   * @throws NotOwner when another process owns it, or nobody can for the moment. ClusterDeleted.
   */
  async get(clusterId: string): Promise<Owner> {
    const present = this.#owners.get(clusterId);
    if (present !== undefined) return await present;
    if (this.#isShuttingDown) throw new NotOwner(clusterId);
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
      const recovered = await recover(journal, cluster, clock, (seq, error) => {
        logger.error({ err: error, seq }, 'snapshot cannot be read; using what lies before it');
      });
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
          onClosed: () => this.#forget(clusterId),
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
      logger.error({ err: error }, 'cluster could not be opened');
      await this.#keeper.release(clusterId).catch(() => undefined);
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
    // Our own address: the owner here has closed for a move and its lease is about to be released.
    const isHeld = attempt.outcome === 'held-by-other' && attempt.ownerUrl !== this.#options.self.ownerUrl;
    const ownerUrl = isHeld ? attempt.ownerUrl : undefined;
    const memoryMs = isHeld ? Math.min(attempt.expiresInMs, HELD_BY_OTHER_MEMORY_MS) : MOVING_MEMORY_MS;
    this.#heldByOther.set(clusterId, { ownerUrl, untilMs: this.#options.clock.monotonicMs() + memoryMs });
    throw new NotOwner(clusterId, ownerUrl);
  }

  /** Gives a cluster up for its move to another cell: answers what is under way, then releases the lease. */
  async #leave(clusterId: string): Promise<void> {
    if (this.#leaving.has(clusterId)) return;
    this.#leaving.add(clusterId);
    try {
      const owner = await this.#owners.get(clusterId)?.catch(() => undefined);
      await owner?.retire();
      await this.#keeper.release(clusterId);
      this.#options.logger.info({ clusterId }, 'cluster given up: it moves to another cell');
    } catch (error) {
      this.#options.logger.warn({ err: error, clusterId }, 'the lease of a cluster that moves could not be released');
    } finally {
      this.#leaving.delete(clusterId);
    }
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
