// Snapshot format of the idempotent producers of all partitions.
import { REMEMBERED_BATCHES_PER_PRODUCER as WINDOW } from '../limits.ts';
import type { Partition } from '../state/partition.ts';
import {
  type CapturedProducers,
  lastSequenceOf,
  ProducerTable,
  producersOf,
  type RememberedBatch,
  recordsBetween,
} from '../state/producer-table.ts';
import { type ByteReader, CorruptDataError } from './byte-reader.ts';
import { Batch, readBatch } from './columns.ts';
import type { Item } from './section.ts';

/** Of the window, the records of each batch and the distance of its base offset from that of the batch before. */
const COLUMNS = [
  'partition',
  'producerId',
  'epoch',
  'lastSeenMs',
  'batches',
  'firstSequence',
  'records0',
  'records1',
  'records2',
  'records3',
  'records4',
  'base0',
  'base1',
  'base2',
  'base3',
  'base4',
] as const;
const RECORDS = ['records0', 'records1', 'records2', 'records3', 'records4'] as const;
const BASES = ['base0', 'base1', 'base2', 'base3', 'base4'] as const;

/** @param tables in the order of partitions; each is asked for when it is its turn, and done with when the next one is */
export function* producerItems(tables: Iterable<readonly [partition: number, CapturedProducers]>): Iterable<Item> {
  const batch = new Batch(COLUMNS);
  const write: Item = (to) => batch.flush(to);
  for (const [partition, captured] of tables) {
    for (const { producerId, epoch, lastSeenMs, batches } of producersOf(captured)) {
      const row = { ...NO_BATCHES, partition, producerId, epoch, lastSeenMs, batches: batches.length };
      row.firstSequence = batches[0]?.firstSequence ?? 0;
      let before = 0;
      for (const [at, { firstSequence, lastSequence, baseOffset }] of batches.entries()) {
        row[RECORDS[at] ?? 'records0'] = recordsBetween(firstSequence, lastSequence);
        row[BASES[at] ?? 'base0'] = baseOffset - before;
        before = baseOffset;
      }
      batch.add(row);
      if (batch.isFull) {
        yield write;
      }
    }
  }
  if (batch.rows > 0) {
    yield write;
  }
}

const NO_BATCHES = Object.fromEntries(COLUMNS.map((name) => [name, 0])) as Record<(typeof COLUMNS)[number], number>;

/** @param partitions counted over all topics */
export function readProducers(from: ByteReader, partitions: readonly Partition[]): void {
  const { rows, columns } = readBatch(from, COLUMNS);
  for (let row = 0; row < rows; row += 1) {
    const partition = partitions[columns.partition[row] ?? 0];
    const count = columns.batches[row] ?? 0;
    if (partition === undefined || count > WINDOW) {
      throw new CorruptDataError('a producer belongs to no partition, or has too many batches');
    }
    const batches: RememberedBatch[] = [];
    let firstSequence = columns.firstSequence[row] ?? 0;
    let baseOffset = 0;
    for (let batch = 0; batch < count; batch += 1) {
      const lastSequence = lastSequenceOf(firstSequence, columns[RECORDS[batch] ?? 'records0'][row] ?? 0);
      baseOffset += columns[BASES[batch] ?? 'base0'][row] ?? 0;
      batches.push({ firstSequence, lastSequence, baseOffset });
      firstSequence = lastSequenceOf(lastSequence, 2);
    }
    partition.producers ??= new ProducerTable();
    partition.producers.restore({
      producerId: columns.producerId[row] ?? 0,
      epoch: columns.epoch[row] ?? 0,
      lastSeenMs: columns.lastSeenMs[row] ?? 0,
      batches,
    });
  }
}
