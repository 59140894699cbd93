// Drives a cluster through simulated days: window by window with the files that merging leaves, and flush by flush, merged by jobs, for the
// last minutes before a printed moment.
import type { ReplaceRuns } from '@penstock/metadata-core';
import { MINUTE_MS, SECOND_MS } from '@penstock/units';
import { MergingAgents } from './merging-agents.ts';
import type { OwnedCluster } from './owned-cluster.ts';
import { AGENTS, DRIVEN_MINUTES, FILES_PER_S, OFFSETS_INTERVAL_MS, WINDOW_FILES, WINDOW_MS } from './scenario.ts';
import { newFileId } from './traffic.ts';

export interface JournalRate {
  bytesPerMinute: number;
  entriesPerMinute: number;
}

export class Simulation {
  readonly agents: MergingAgents;
  readonly #cluster: OwnedCluster;
  #nowMs: number;
  #commits = 0;
  #flushedBytes = 0;

  constructor(cluster: OwnedCluster) {
    this.#cluster = cluster;
    this.#nowMs = cluster.clock.nowMs();
    this.agents = new MergingAgents(cluster);
  }

  /** Files committed through the owner. */
  get commits(): number {
    return this.#commits;
  }

  /** Bytes of level 0 committed flush by flush. */
  get flushedBytes(): number {
    return this.#flushedBytes;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** A window of which only the level 2 files are created: each is committed as if it had been flushed, and swapped for a merged one. */
  async window(): Promise<void> {
    const startMs = this.#nowMs;
    const { traffic, topicIds } = this.#cluster;
    for (let file = 0; file < WINDOW_FILES; file += 1) {
      await this.#moveTo(startMs + ((file + 1) * WINDOW_MS) / WINDOW_FILES);
      const nowMs = this.#cluster.clock.nowMs();
      const commit = traffic.window(file, nowMs);
      const { batchBaseOffset } = await this.#cluster.submit(commit);
      const swap: ReplaceRuns = {
        kind: 'replace-runs',
        fileId: newFileId(nowMs),
        fileBytes: commit.fileBytes,
        level: 2,
        sourceFileIds: [commit.fileId],
        topicIds,
        targetTopic: commit.runTopic,
        targetPartition: commit.runPartition,
        targetBaseOffset: batchBaseOffset,
        targetEndOffset: batchBaseOffset.map((offset, run) => offset + (commit.batchRecords[run] ?? 0)),
        targetPosition: commit.runPosition,
        targetBytes: Float64Array.from(commit.batchBytes),
        compaction: null,
      };
      await this.#cluster.submit(swap);
      this.#commits += 1;
    }
    await this.agents.work();
    await this.#cluster.commitOffsets();
    await this.#cluster.deleteFiles();
  }

  /** Minutes that are driven flush by flush while agents merge. */
  async drivenMinutes(): Promise<JournalRate> {
    const { journal } = this.#cluster;
    const before = { bytes: journal.appendedBytes, entries: journal.appendedEntries };
    for (let minute = 0; minute < DRIVEN_MINUTES; minute += 1) {
      await this.#drivenMinute();
    }
    return {
      bytesPerMinute: (journal.appendedBytes - before.bytes) / DRIVEN_MINUTES,
      entriesPerMinute: (journal.appendedEntries - before.entries) / DRIVEN_MINUTES,
    };
  }

  /** Flushes until the journal has grown by this much; nothing is merged meanwhile. */
  async journalFor(bytes: number): Promise<void> {
    const { journal } = this.#cluster;
    const endBytes = journal.appendedBytes + bytes;
    const startMs = this.#nowMs;
    for (let file = 0; journal.appendedBytes < endBytes; file += 1) {
      await this.#flush(file, startMs);
    }
  }

  /** After a takeover, the new owner's survey finds what is left to merge. */
  async mergeAfterTakeOver(): Promise<void> {
    this.agents.abandon();
    for (let minute = 0; minute < DRIVEN_MINUTES; minute += 1) {
      await this.#moveTo(this.#nowMs + MINUTE_MS / 4);
      await this.agents.work();
    }
    await this.#cluster.deleteFiles();
  }

  async #drivenMinute(): Promise<void> {
    const startMs = this.#nowMs;
    const files = FILES_PER_S * (MINUTE_MS / SECOND_MS);
    const filesPerOffsets = (FILES_PER_S * OFFSETS_INTERVAL_MS) / SECOND_MS;
    for (let file = 0; file < files; file += 1) {
      await this.#flush(file, startMs);
      if (file % FILES_PER_S === 0) {
        await this.agents.work();
      }
      if (file % filesPerOffsets === 0) {
        await this.#cluster.commitOffsets();
      }
    }
    await this.#cluster.deleteFiles();
  }

  async #flush(file: number, startMs: number): Promise<void> {
    await this.#moveTo(startMs + ((file + 1) * SECOND_MS) / FILES_PER_S);
    const commit = this.#cluster.traffic.flush(file % AGENTS, this.#cluster.clock.nowMs());
    await this.#cluster.submit(commit);
    this.#commits += 1;
    this.#flushedBytes += commit.fileBytes;
  }

  async #moveTo(timeMs: number): Promise<void> {
    this.#nowMs = timeMs;
    await this.#cluster.moveTo(timeMs);
  }
}
