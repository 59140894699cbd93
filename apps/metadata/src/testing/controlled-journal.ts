// A journal in memory whose appends a test can hold back, let fail, or let succeed without an answer.
import {
  AppendUncertain,
  type ClusterIdentity,
  type Journal,
  type JournalEntry,
  MemoryJournal,
  type Retention,
  type Snapshot,
} from '@penstock/metadata-journal';

/** What happens to the next append. */
type Fault = 'lost-before-storing' | 'answer-lost-after-storing';

export class ControlledJournal implements Journal {
  readonly memory = new MemoryJournal();
  readonly #faults: Fault[] = [];
  #gate: { opened: Promise<void>; open: () => void } | undefined;

  /** Appends wait from now on. */
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

  async append(cluster: ClusterIdentity, seq: number, bytes: Uint8Array): Promise<void> {
    await this.#gate?.opened;
    const fault = this.#faults.shift();
    if (fault === 'lost-before-storing')
      throw new AppendUncertain(cluster.clusterId, seq, new Error('connection lost'));
    await this.memory.append(cluster, seq, bytes);
    if (fault !== undefined) throw new AppendUncertain(cluster.clusterId, seq, new Error('connection lost'));
  }

  read(clusterId: string, afterSeq: number): AsyncIterable<JournalEntry> {
    return this.memory.read(clusterId, afterSeq);
  }

  writeSnapshot(clusterId: string, seq: number, parts: Iterable<Uint8Array>): Promise<void> {
    return this.memory.writeSnapshot(clusterId, seq, parts);
  }

  readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined> {
    return this.memory.readSnapshot(clusterId, beforeSeq);
  }

  cut(clusterId: string, retain: Retention): Promise<number> {
    return this.memory.cut(clusterId, retain);
  }

  /** The entries of a cluster, for a look from outside. */
  async entries(clusterId: string): Promise<JournalEntry[]> {
    const all: JournalEntry[] = [];
    for await (const entry of this.memory.read(clusterId, 0)) all.push(entry);
    return all;
  }
}
