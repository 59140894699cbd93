// The journals of all cells behind one interface. A cluster's cell is looked up when its newest snapshot is read, which is how every
// opening starts. The cluster cannot have moved since its lease was acquired, unless the lease has expired.
import type { ClusterIdentity, Journal, JournalEntry, PositionStatus, Retention, Snapshot } from '../journal.ts';
import type { JournalPosition } from '../position.ts';
import { PostgresJournal } from '../postgres/postgres-journal.ts';
import type { Cells } from './cells.ts';
import type { Homes } from './homes.ts';

export class CellJournal implements Journal {
  readonly #cells: Cells;
  readonly #homes: Homes;
  readonly #journals = new Map<string, PostgresJournal>();

  constructor(cells: Cells, homes: Homes) {
    this.#cells = cells;
    this.#homes = homes;
  }

  async append(cluster: ClusterIdentity, previous: JournalPosition, bytes: Uint8Array): Promise<JournalPosition> {
    return await (await this.#of(cluster.clusterId)).append(cluster, previous, bytes);
  }

  async *read(clusterId: string, after: JournalPosition): AsyncIterable<JournalEntry> {
    yield* (await this.#of(clusterId)).read(clusterId, after);
  }

  async statusOf(clusterId: string, position: JournalPosition): Promise<PositionStatus> {
    const known = await this.#homes.of(clusterId);
    const status = await this.#in(known).statusOf(clusterId, position);
    if (status.kind !== 'lost') {
      return status;
    }
    // A cell that the cluster has left lacks entries without having lost any.
    const cell = await this.#homes.ask(clusterId);
    return cell === known ? status : await this.#in(cell).statusOf(clusterId, position);
  }

  async writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    await (await this.#of(clusterId)).writeSnapshot(clusterId, position, parts);
  }

  async readSnapshot(clusterId: string, beforeSeq?: number): Promise<Snapshot | undefined> {
    if (beforeSeq === undefined) {
      await this.#homes.lookUp(clusterId);
    }
    return await (await this.#of(clusterId)).readSnapshot(clusterId, beforeSeq);
  }

  async cut(clusterId: string, retain: Retention): Promise<number> {
    return await (await this.#of(clusterId)).cut(clusterId, retain);
  }

  async #of(clusterId: string): Promise<PostgresJournal> {
    return this.#in(await this.#homes.of(clusterId));
  }

  #in(cell: string): PostgresJournal {
    let journal = this.#journals.get(cell);
    if (journal === undefined) {
      journal = new PostgresJournal(this.#cells.pool(cell));
      this.#journals.set(cell, journal);
    }
    return journal;
  }
}
