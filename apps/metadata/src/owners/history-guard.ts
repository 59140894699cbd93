// Prevents a process from serving a stopped cluster: its journal lost acknowledged entries, as a failover to a lagging replica does, or its
// state is broken.
import {
  type ClusterFault,
  type ClusterPast,
  type Journal,
  type LostTail,
  parseWitnessed,
  type Stops,
  type WitnessedPosition,
} from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { Clock } from './clock.ts';
import { ClusterStopped, orUnreachable } from './errors.ts';

/** Clusters whose last position this process remembers after it owned them. */
const REMEMBERED_CLUSTERS = 10_000;
/** How long a stop is cached, so that a storm of requests causes one database query. */
const STOPPED_MEMORY_MS = 2_000;

export interface HistoryGuardOptions {
  journal: Journal;
  stops: Stops;
  clock: Clock;
  logger: Logger;
}

export class HistoryGuard {
  readonly #options: HistoryGuardOptions;
  readonly #remembered = new Map<string, WitnessedPosition>();
  readonly #stopped = new Map<string, { error: ClusterStopped; untilMs: number }>();

  constructor(options: HistoryGuardOptions) {
    this.#options = options;
  }

  /** @throws ClusterStopped when the cluster was recently found to be stopped */
  requireRunning(clusterId: string): void {
    const stopped = this.#stopped.get(clusterId);
    if (stopped === undefined) {
      return;
    }
    if (this.#options.clock.monotonicMs() < stopped.untilMs) {
      throw stopped.error;
    }
    this.#stopped.delete(clusterId);
  }

  /**
   * Returns what must be known about the cluster's past to open it. Call it while holding the lease: a process that
   * stops the cluster has either done so before, or the current owner learns of it.
   * @throws ClusterStopped when it is stopped, or when this process has seen a later entry than the journal has
   */
  async admit(clusterId: string): Promise<ClusterPast> {
    const { journal, stops } = this.#options;
    const past = await stops.past(clusterId);
    if (past.stop !== undefined) {
      throw this.#noteStopped(new ClusterStopped(past.stop));
    }
    const witnessed = this.#remembered.get(clusterId);
    if (witnessed !== undefined && witnessed.history >= past.history) {
      const status = await journal.statusOf(clusterId, witnessed);
      if (status.kind === 'lost') {
        const stopped = await this.lost(clusterId, { witness: 'its former owner', witnessed, last: status.last });
        if (stopped !== undefined) {
          throw stopped;
        }
      }
    }
    this.#stopped.delete(clusterId);
    return past;
  }

  /** Remembers the journal's position when this process last owned the cluster. */
  remember(clusterId: string, position: string): void {
    // Entries that an owner appended to a journal with lost entries prove nothing: the lost ones may be restored in their place.
    if (this.#stopped.has(clusterId)) {
      return;
    }
    const witnessed = parseWitnessed(position);
    if (witnessed === undefined) {
      throw new Error(`not a position: ${position}`);
    }
    this.#remembered.delete(clusterId);
    this.#remembered.set(clusterId, witnessed);
    if (this.#remembered.size > REMEMBERED_CLUSTERS) {
      for (const oldest of this.#remembered.keys()) {
        this.#remembered.delete(oldest);
        break;
      }
    }
  }

  /**
   * Stops a cluster for every process. Returns the error for callers; undefined when an operator had accepted the loss before this witness
   * reported it.
   */
  async lost(clusterId: string, loss: LostTail): Promise<ClusterStopped | undefined> {
    const stop = await orUnreachable(clusterId, this.#options.stops.stop(clusterId, loss));
    if (stop === undefined) {
      return undefined;
    }
    const error = new ClusterStopped(stop);
    this.#options.logger.error({ err: error, clusterId }, 'cluster stopped');
    return this.#noteStopped(error);
  }

  /** Stops a cluster whose state is broken, for every process. Returns the error for callers. */
  async broken(clusterId: string, fault: ClusterFault): Promise<ClusterStopped> {
    const error = new ClusterStopped(await orUnreachable(clusterId, this.#options.stops.halt(clusterId, fault)));
    const { position, command, sha256 } = fault;
    const facts = { err: error, clusterId, seq: position.seq, command, hash: sha256 };
    this.#options.logger.error(facts, 'an invariant of the state is broken; cluster stopped');
    return this.#noteStopped(error);
  }

  /** Those of the clusters open here that some process has stopped. */
  async stoppedAmong(clusterIds: readonly string[]): Promise<ClusterStopped[]> {
    if (clusterIds.length === 0) {
      return [];
    }
    const stops = await this.#options.stops.among(clusterIds);
    return stops.map((stop) => this.#noteStopped(new ClusterStopped(stop)));
  }

  #noteStopped(error: ClusterStopped): ClusterStopped {
    const untilMs = this.#options.clock.monotonicMs() + STOPPED_MEMORY_MS;
    this.#stopped.set(error.clusterId, { error, untilMs });
    return error;
  }
}
