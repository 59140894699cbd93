// Compares what transactional producers were promised with what readers at read_committed find. A naive model: every transaction with the
// batches that were sent in it, and what became of it as far as its client knows.
import { mustHold } from './audit-failure.ts';

export interface SentBatch {
  name: string;
  partition: number;
  key: string;
  records: number;
  /** Undefined while no answer has named it. */
  offset: number | undefined;
}

/** `open`: its client has not asked for its end. `unknown`: it asked for the commit and does not know. */
export type Fate = 'open' | 'unknown' | 'committed' | 'aborted';

export interface SimTransaction {
  readonly client: string;
  /** 1, 2, 3 ... per client; also the offset that the transaction commits to the client's group. */
  readonly number: number;
  readonly producerId: number;
  readonly batches: SentBatch[];
  fate: Fate;
  /** A reader has been shown some of it. */
  isSeen: boolean;
}

export class TransactionAuditor {
  readonly #transactions: SimTransaction[] = [];
  readonly #byBatch = new Map<string, SimTransaction>();
  readonly #truncatedTo = new Map<number, number>();
  /** Whether of each key only the latest batch has to stay. */
  isCompacted = false;

  get count(): number {
    return this.#transactions.length;
  }

  begun(client: string, number: number, producerId: number): SimTransaction {
    const transaction: SimTransaction = { client, number, producerId, batches: [], fate: 'open', isSeen: false };
    this.#transactions.push(transaction);
    return transaction;
  }

  sent(transaction: SimTransaction, batch: SentBatch): void {
    transaction.batches.push(batch);
    this.#byBatch.set(batch.name, transaction);
  }

  truncationAsked(partition: number, offset: number): void {
    this.#truncatedTo.set(partition, Math.max(offset, this.#truncatedTo.get(partition) ?? 0));
  }

  /** A reader at read_committed was shown a batch. */
  shown(name: string): void {
    const transaction = this.#byBatch.get(name);
    if (transaction === undefined) {
      return;
    }
    mustHold(transaction.fate !== 'open' && transaction.fate !== 'aborted', () => {
      return `a reader at read_committed was shown ${name}, whose transaction is ${transaction.fate}`;
    });
    transaction.isSeen = true;
  }

  /**
   * Checks everything at the end.
   * @param visible names of the batches that a reader at read_committed finds, with their offsets
   * @param committed the offset of each client's group; 0 without one
   */
  inspect(visible: ReadonlyMap<string, number>, committed: (client: string) => number): void {
    const latest = this.#latestOf(visible);
    for (const transaction of this.#transactions) {
      const { client, number, batches, fate } = transaction;
      const name = `transaction ${number} of ${client}`;
      const found = batches.filter((batch) => visible.has(batch.name));
      const offset = committed(client);
      mustHold(fate !== 'aborted' || found.length === 0, () => `${name} was aborted, and ${found[0]?.name} is visible`);
      mustHold(fate !== 'committed' || number <= offset, () => {
        return `${name} was committed, and its group is at ${offset}`;
      });
      mustHold(fate !== 'aborted' || number !== offset, () => `${name} was aborted, and its group is at ${offset}`);
      const isCommitted = fate === 'committed' || found.length > 0 || transaction.isSeen || number === offset;
      mustHold(!isCommitted || number <= offset, () => `${name} is visible, and its group is at ${offset}`);
      const lost = isCommitted
        ? batches.find((batch) => !visible.has(batch.name) && this.#mustStay(batch, latest))
        : undefined;
      mustHold(lost === undefined, () => `${name} is committed, and ${lost?.name} at ${lost?.offset} is not visible`);
    }
  }

  /** By partition and key, the offset of the latest batch that is visible. */
  #latestOf(visible: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const latest = new Map<string, number>();
    for (const { batches } of this.#transactions) {
      for (const batch of batches) {
        latest.set(placeOf(batch), Math.max(visible.get(batch.name) ?? -1, latest.get(placeOf(batch)) ?? -1));
      }
    }
    return latest;
  }

  /** Whether it was acknowledged, nobody asked to truncate it, and no later batch has its key. */
  #mustStay(batch: SentBatch, latest: ReadonlyMap<string, number>): boolean {
    const { partition, offset, records } = batch;
    const isReplaced = this.isCompacted && (latest.get(placeOf(batch)) ?? -1) > (offset ?? -1);
    return offset !== undefined && offset + records > (this.#truncatedTo.get(partition) ?? 0) && !isReplaced;
  }
}

function placeOf({ partition, key }: SentBatch): string {
  return `${partition} ${key}`;
}
