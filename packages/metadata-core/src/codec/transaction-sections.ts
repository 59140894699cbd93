// Snapshot format of transactional ids, and of the transactions of each partition. Written only where there are any.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { assert } from '../model/assert.ts';
import { doubleAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import type { AbortedTransaction, Partition } from '../state/partition.types.ts';
import { transactionsIn } from '../state/partition-transactions.ts';
import {
  type OpenTransaction,
  type PendingOffset,
  setProducer,
  TRANSACTION_STATES,
  type TransactionalProducer,
  type Transactions,
} from '../state/transactions.ts';
import { BATCH_ROWS, Batch, readBatch } from './columns.ts';
import { type Field, idKeyCodec, list, map, nullable, oneOf, record, set, signed, text, unsigned } from './field.ts';
import type { Item } from './section.ts';

/** The first byte of an item, which identifies its content. */
const ITEM = { producer: 1, open: 2, aborted: 3 } as const;

const pendingOffsetCodec: Field<PendingOffset> = record({ offset: signed, leaderEpoch: signed, metadata: text });

const openCodec: Field<OpenTransaction> = record({
  startedAtMs: unsigned,
  partitions: map(idKeyCodec, set(unsigned)),
  groups: map(text, map(text, map(unsigned, pendingOffsetCodec))),
});

const producerCodec: Field<TransactionalProducer> = record({
  transactionalId: text,
  producerId: unsigned,
  producerEpoch: unsigned,
  previousProducerId: signed,
  lastEpoch: signed,
  timeoutMs: unsigned,
  state: oneOf(TRANSACTION_STATES),
  updatedAtMs: unsigned,
  clientId: text,
  agentId: text,
  open: nullable(openCodec),
});

const openInPartitionCodec = list(record({ producerId: unsigned, firstOffset: unsigned }));

const ABORTED_COLUMNS = ['producerId', 'firstOffset', 'lastOffset'] as const;

/** A partition's transactions when captured. */
export interface CapturedTransactions {
  /** Numbered over all topics. */
  partition: number;
  open: { producerId: number; firstOffset: number }[];
  aborted: readonly AbortedTransaction[];
}

export function* transactionItems(
  producers: readonly TransactionalProducer[],
  partitions: readonly CapturedTransactions[],
): Iterable<Item> {
  for (const producer of producers) {
    yield (to) => {
      to.byte(ITEM.producer);
      producerCodec.write(to, producer);
    };
  }
  for (const { partition, open, aborted } of partitions) {
    if (open.length > 0) {
      yield (to) => {
        to.byte(ITEM.open);
        to.unsigned(partition);
        openInPartitionCodec.write(to, open);
      };
    }
    for (let at = 0; at < aborted.length; at += BATCH_ROWS) {
      yield (to) => {
        to.byte(ITEM.aborted);
        to.unsigned(partition);
        const rows = aborted.slice(at, at + BATCH_ROWS);
        const batch = new Batch(ABORTED_COLUMNS, rows.length);
        for (const { producerId, firstOffset, lastOffset } of rows) {
          batch.add({ producerId, firstOffset, lastOffset });
        }
        batch.flush(to);
      };
    }
  }
}

/** Adds the next item. @param partitions numbered over all topics */
export function readTransactions(from: ByteReader, transactions: Transactions, partitions: readonly Partition[]): void {
  const kind = from.byte();
  if (kind === ITEM.producer) {
    const producer = producerCodec.read(from);
    assert((producer.open !== null) === (producer.state === 'Ongoing'), 'a producer is Ongoing in a transaction');
    setProducer(transactions, producer);
    return;
  }
  const partition = partitions[from.unsigned()];
  if (partition === undefined) {
    throw new CorruptDataError('a transaction belongs to no partition');
  }
  const { open, aborted } = transactionsIn(partition, transactions.counts);
  if (kind === ITEM.open) {
    for (const { producerId, firstOffset } of openInPartitionCodec.read(from)) {
      open.set(producerId, firstOffset);
    }
  } else if (kind === ITEM.aborted) {
    const { rows, columns } = readBatch(from, ABORTED_COLUMNS);
    for (let row = 0; row < rows; row += 1) {
      aborted.push({
        producerId: doubleAt(columns.producerId, row),
        firstOffset: doubleAt(columns.firstOffset, row),
        lastOffset: doubleAt(columns.lastOffset, row),
      });
    }
    transactions.counts.aborted += rows;
  } else {
    throw new CorruptDataError(`snapshot: no item of the transactions section has the kind ${kind}`);
  }
}
