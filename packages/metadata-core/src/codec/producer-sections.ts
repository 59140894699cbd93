// Snapshot format of the idempotent producers of all partitions.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { doubleAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import type { Partition } from '../state/partition.types.ts';
import {
  type CapturedProducers,
  gatherProducer,
  type ProducerColumns,
  ProducerTable,
} from '../state/producer-table.ts';
import { Batch, readBatch } from './columns.ts';
import type { Item } from './section.ts';

const RECORDS = ['records0', 'records1', 'records2', 'records3', 'records4'] as const;
const BASES = ['base0', 'base1', 'base2', 'base3', 'base4'] as const;
const COLUMNS = [
  'partition',
  'producerId',
  'epoch',
  'lastSeenMs',
  'batches',
  'firstSequence',
  ...RECORDS,
  ...BASES,
] as const;

/** @param tables in the order of partitions; each is used only until the next one is requested */
export function* producerItems(tables: Iterable<readonly [partition: number, CapturedProducers]>): Iterable<Item> {
  const batch = new Batch(COLUMNS);
  const columns = producerColumns(batch.columns);
  const write: Item = (to) => batch.flush(to);
  for (const [partition, captured] of tables) {
    for (let row = 0; row < captured.count; row += 1) {
      batch.columns.partition[batch.rows] = partition;
      gatherProducer(captured, row, columns, batch.rows);
      batch.rows += 1;
      if (batch.isFull) {
        yield write;
      }
    }
  }
  if (batch.rows > 0) {
    yield write;
  }
}

/** @param partitions numbered over all topics */
export function readProducers(from: ByteReader, partitions: readonly Partition[]): void {
  const { rows, columns } = readBatch(from, COLUMNS);
  const producers = producerColumns(columns);
  for (let row = 0; row < rows; row += 1) {
    const partition = partitions[doubleAt(columns.partition, row)];
    if (partition === undefined) {
      throw new CorruptDataError('a producer belongs to no partition');
    }
    partition.producers ??= new ProducerTable(partition.memory);
    partition.producers.restoreRow(producers, row);
  }
}

function producerColumns(columns: Readonly<Record<(typeof COLUMNS)[number], Float64Array>>): ProducerColumns {
  return {
    ...columns,
    records: RECORDS.map((name) => columns[name]),
    base: BASES.map((name) => columns[name]),
  };
}
