// The way of a file that no partition refers to any more: a minute later it leaves the state for the table of dead files, where it waits for
// the restore window, and then agents delete its object. Waiting costs the state no memory, and a database that is restored to a point in
// the window finds all objects that it names.
import { type ClusterState, type Id, limits } from '@penstock/metadata-core';
import type { DeadFile, DeadFiles } from '@penstock/metadata-journal';
import type { Logger } from '@penstock/platform';
import type { Clock } from './clock.ts';
import type { Committer } from './committer.ts';
import { orUnreachable } from './errors.ts';

/** Files that leave the state with one command. */
const FILES_PER_HANDOVER = 5_000;
/** Beyond this many dead files of a cluster, the oldest are deleted early: their rows must not fill the database. */
export const MAX_DEAD_FILES = 2_000_000;
/** How often to count them. */
const COUNT_INTERVAL_MS = 600_000;

export interface DeletionsOptions {
  clusterId: string;
  state: ClusterState;
  committer: Committer;
  store: DeadFiles;
  clock: Clock;
  logger: Logger;
  /** How long objects stay after they left the state. */
  restoreWindowMs: number;
  /** For tests. Absent: `MAX_DEAD_FILES`. */
  maxDeadFiles?: number | undefined;
}

export class Deletions {
  readonly #options: DeletionsOptions;
  #handover: Promise<void> | undefined;
  #count = 0;
  #countedMs = Number.NEGATIVE_INFINITY;

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  /**
   * Leases files to an agent, which deletes their objects.
   * @throws as `Committer.submit`; JournalUnreachable when the database does not answer
   */
  async take(maxFiles: number): Promise<Id[]> {
    const { committer, clock, clusterId, store, logger } = this.#options;
    // Agents that ask at the same time share one handover.
    this.#handover ??= this.#handOver().finally(() => {
      this.#handover = undefined;
    });
    await this.#handover;
    const excess = await this.#excess();
    committer.requireOwner();
    // Nobody else adds files to this cluster's.
    if (this.#count === 0) {
      return [];
    }
    const nowMs = clock.nowMs();
    const lease = { nowMs, leaseUntilMs: nowMs + limits.DELETION_LEASE_MS };
    const most = Math.min(maxFiles, limits.MAX_DELETIONS_PER_TAKE);
    const options =
      excess > 0
        ? { ...lease, maxFiles: Math.min(most, excess), dueMs: null }
        : { ...lease, maxFiles: most, dueMs: nowMs };
    const taken = await orUnreachable(clusterId, store.take(clusterId, options));
    const isLive = await committer.read((state) => taken.map((fileId) => isReferenced(state, fileId)));
    const live = taken.filter((_, at) => isLive[at] === true);
    if (live.length === 0) {
      return taken;
    }
    // The journal was restored to an earlier time than this table: deleting these objects would lose records.
    logger.error(
      { clusterId, files: live.length },
      'kept files that were to be deleted, because partitions refer to them',
    );
    await orUnreachable(clusterId, store.remove(clusterId, live));
    return taken.filter((_, at) => isLive[at] !== true);
  }

  /** Forgets files whose objects are deleted. @throws as `take` */
  async confirm(fileIds: readonly Id[]): Promise<void> {
    const { committer, clusterId, store } = this.#options;
    committer.requireOwner();
    await orUnreachable(clusterId, store.remove(clusterId, fileIds));
    this.#count = Math.max(0, this.#count - fileIds.length);
  }

  /** For each file, whether it waits for its deletion. @throws as `take` */
  async holds(fileIds: readonly Id[]): Promise<boolean[]> {
    const { clusterId, store } = this.#options;
    return fileIds.length === 0 ? [] : await orUnreachable(clusterId, store.holds(clusterId, fileIds));
  }

  /**
   * Moves dead files from the state to the table. The row comes first: if the process dies in between, the next owner adds the same rows
   * again, which changes nothing.
   */
  async #handOver(): Promise<void> {
    const { committer, clusterId, store, clock, restoreWindowMs } = this.#options;
    for (;;) {
      const { fileIds } = await committer.submit({ kind: 'take-deletions', maxFiles: FILES_PER_HANDOVER });
      if (fileIds.length === 0) {
        return;
      }
      const deleteAfterMs = clock.nowMs() + restoreWindowMs;
      const files = await committer.read((state) =>
        fileIds.map((fileId): DeadFile => ({ fileId, bytes: bytesOf(state, fileId), deleteAfterMs })),
      );
      await orUnreachable(clusterId, store.add(clusterId, files));
      await committer.submit({ kind: 'confirm-deletions', fileIds });
      this.#count += fileIds.length;
    }
  }

  /** The number of files beyond the limit. */
  async #excess(): Promise<number> {
    const { clusterId, store, clock, logger, maxDeadFiles = MAX_DEAD_FILES } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs >= this.#countedMs + COUNT_INTERVAL_MS) {
      const { files, bytes } = await orUnreachable(clusterId, store.totals(clusterId));
      this.#countedMs = nowMs;
      this.#count = files;
      if (files > maxDeadFiles) {
        logger.warn(
          { clusterId, files, bytes, maxDeadFiles },
          'objects are deleted before the restore window is over: too many of them wait',
        );
      }
    }
    return Math.max(0, this.#count - maxDeadFiles);
  }
}

function isReferenced({ files }: ClusterState, fileId: Id): boolean {
  const slot = files.slotOf(fileId);
  return slot !== undefined && files.liveRuns(slot) > 0;
}

function bytesOf({ files }: ClusterState, fileId: Id): number {
  const slot = files.slotOf(fileId);
  return slot === undefined ? 0 : files.bytes(slot);
}
