// Drives a cluster through simulated days: hour by hour in merged files, and flush by flush for the last minutes before a printed moment.
import { endOffsets, mergeRuns } from './merging.ts';
import type { OwnedCluster } from './owned-cluster.ts';
import {
  AGENTS,
  DRIVEN_MINUTES,
  FILES_PER_S,
  HOUR_FILES,
  HOUR_MS,
  MINUTE_MS,
  OFFSETS_INTERVAL_MS,
  SECOND_MS,
} from './scenario.ts';
import { partitionsOfAgent, partitionsOfHourFile } from './traffic.ts';

/** Some runs of all partitions that one merged file or set of files will hold. */
interface Stretch {
  from: Float64Array;
  to: Float64Array;
}

export interface JournalRate {
  bytesPerMinute: number;
  entriesPerMinute: number;
  bytesPerCommit: number;
}

export class Simulation {
  readonly #cluster: OwnedCluster;
  #nowMs: number;
  #hourFrom: Float64Array | undefined;
  #commits = 0;

  constructor(cluster: OwnedCluster) {
    this.#cluster = cluster;
    this.#nowMs = cluster.clock.nowMs();
  }

  /** Files committed through the owner. */
  get commits(): number {
    return this.#commits;
  }

  /** An hour of which only the merged files are committed. */
  async hour(): Promise<void> {
    const startMs = this.#nowMs;
    for (let file = 0; file < HOUR_FILES; file += 1) {
      await this.#moveTo(startMs + ((file + 1) * HOUR_MS) / HOUR_FILES);
      await this.#cluster.submit(this.#cluster.traffic.hour(file, this.#cluster.clock.nowMs()));
      this.#commits += 1;
    }
    await this.#cluster.commitOffsets();
    await this.#cluster.deleteFiles();
  }

  /** The hour before a printed moment. Its last minutes are driven flush by flush, and what is a minute old is merged. */
  async lastHour(): Promise<JournalRate> {
    this.#hourFrom = this.#ends();
    for (let minute = 0; minute < HOUR_MS / MINUTE_MS - DRIVEN_MINUTES; minute += 1) {
      const startMs = this.#nowMs;
      for (let agent = 0; agent < AGENTS; agent += 1) {
        await this.#moveTo(startMs + ((agent + 1) * MINUTE_MS) / AGENTS);
        await this.#cluster.submit(this.#cluster.traffic.minute(agent, this.#cluster.clock.nowMs()));
        this.#commits += 1;
      }
    }
    const { journal } = this.#cluster;
    const before = { bytes: journal.appendedBytes, entries: journal.appendedEntries };
    let flushed: Stretch | undefined;
    for (let minute = 0; minute < DRIVEN_MINUTES; minute += 1) {
      flushed = await this.#drivenMinute(flushed);
    }
    const bytes = journal.appendedBytes - before.bytes;
    const flushBytes = await this.#bytesOfFlush();
    return {
      bytesPerMinute: bytes / DRIVEN_MINUTES,
      entriesPerMinute: (journal.appendedEntries - before.entries) / DRIVEN_MINUTES,
      bytesPerCommit: flushBytes,
    };
  }

  /** Flushes until the journal has grown by so much; nothing is merged meanwhile. */
  async journalFor(bytes: number): Promise<void> {
    const { journal } = this.#cluster;
    const endBytes = journal.appendedBytes + bytes;
    const startMs = this.#nowMs;
    for (let file = 0; journal.appendedBytes < endBytes; file += 1) {
      await this.#flush(file, startMs);
    }
  }

  /** Merges what the last hour left, by partition, into one run each. */
  async endHour(): Promise<void> {
    const from = this.#hourFrom;
    if (from === undefined) {
      throw new Error('no hour was begun');
    }
    const stretch = { from, to: this.#ends() };
    for (const partitions of partitionsOfHourFile) {
      this.#merge(partitions, stretch);
      await this.#moveTo(this.#nowMs + SECOND_MS);
    }
    await this.#moveTo(this.#nowMs + 2 * MINUTE_MS);
    await this.#cluster.deleteFiles();
    // What was merged is not in the journal: from here on only a snapshot leads to this state.
    await this.#cluster.snapshotNow();
  }

  /** A minute of flushes, in which the one before it is merged, one agent's partitions after the other. */
  async #drivenMinute(before: Stretch | undefined): Promise<Stretch> {
    const from = this.#ends();
    const startMs = this.#nowMs;
    const files = FILES_PER_S * (MINUTE_MS / SECOND_MS);
    const filesPerMerge = files / AGENTS;
    const filesPerOffsets = (FILES_PER_S * OFFSETS_INTERVAL_MS) / SECOND_MS;
    for (let file = 0; file < files; file += 1) {
      await this.#flush(file, startMs);
      if (before !== undefined && file % filesPerMerge === 0) {
        this.#merge(partitionsOfAgent[file / filesPerMerge] ?? [], before);
      }
      if (file % filesPerOffsets === 0) {
        await this.#cluster.commitOffsets();
      }
    }
    await this.#cluster.deleteFiles();
    return { from, to: this.#ends() };
  }

  async #flush(file: number, startMs: number): Promise<void> {
    await this.#moveTo(startMs + ((file + 1) * SECOND_MS) / FILES_PER_S);
    await this.#cluster.submit(this.#cluster.traffic.flush(file % AGENTS, this.#cluster.clock.nowMs()));
    this.#commits += 1;
  }

  async #bytesOfFlush(): Promise<number> {
    const { journal } = this.#cluster;
    const before = journal.appendedBytes;
    await this.#cluster.submit(this.#cluster.traffic.flush(0, this.#cluster.clock.nowMs()));
    return journal.appendedBytes - before;
  }

  #merge(partitions: readonly number[], { from, to }: Stretch): void {
    const { state, topicIds } = this.#cluster;
    mergeRuns(state, topicIds, partitions, { from, to, nowMs: this.#cluster.clock.nowMs() });
  }

  async #moveTo(timeMs: number): Promise<void> {
    this.#nowMs = timeMs;
    await this.#cluster.moveTo(timeMs);
  }

  #ends(): Float64Array {
    return endOffsets(this.#cluster.state, this.#cluster.topicIds);
  }
}
