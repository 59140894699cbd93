// An in-memory journal whose appends a test can hold back, fail, or store without an answer.
import {
  AppendUncertain,
  type ClusterIdentity,
  JOURNAL_START,
  type Journal,
  type JournalEntry,
  type JournalPosition,
  MemoryJournal,
  type PositionStatus,
  type Retention,
  type Snapshot,
} from '@penstock/metadata-journal';

/** The fault of the next append. */
type Fault = 'lost-before-storing' | 'answer-lost-after-storing';

export class ControlledJournal implements Journal {
  readonly memory = new MemoryJournal();
  readonly #faults: Fault[] = [];
  #gate: { opened: Promise<void>; open: () => void } | undefined;

  /** Holds appends back from now on. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = { opened: promise, open: resolve };
  }

  /** Lets waiting and later appends through. */
  release(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  failNext(fault: Fault): void {
    this.#faults.push(fault);
  }

  async append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition> {
    await this.#gate?.opened;
    const fault = this.#faults.shift();
    const uncertain = () => new AppendUncertain(cluster.clusterId, previous.seq + 1, new Error('connection lost'));
    if (fault === 'lost-before-storing') {
      throw uncertain();
    }
    const position = await this.memory.append(cluster, previous, bytes);
    if (fault !== undefined) {
      throw uncertain();
    }
    return position;
  }

  read(clusterId: string, after: JournalPosition): AsyncIterable<JournalEntry> {
    return this.memory.read(clusterId, after);
  }

  statusOf(clusterId: string, position: JournalPosition): Promise<PositionStatus> {
    return this.memory.statusOf(clusterId, position);
  }

  writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    return this.memory.writeSnapshot(clusterId, position, parts);
  }

  readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined> {
    return this.memory.readSnapshot(clusterId, beforeSeq);
  }

  cut(clusterId: string, retain: Retention): Promise<number> {
    return this.memory.cut(clusterId, retain);
  }

  /** The entries of a cluster, for assertions. */
  async entries(clusterId: string): Promise<JournalEntry[]> {
    const all: JournalEntry[] = [];
    for await (const entry of this.memory.read(clusterId, JOURNAL_START)) {
      all.push(entry);
    }
    return all;
  }
}
