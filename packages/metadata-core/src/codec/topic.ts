// Snapshot format of a topic with its partitions.
import type { Partition } from '../state/partition.ts';
import { type ProducerRecord, ProducerTable, type RememberedBatch } from '../state/producer-table.ts';
import type { Topic } from '../state/topic.ts';
import { type Field, id, list, map, nullable, record, signed, text, unsigned } from './field.ts';
import { readRuns, writeRuns } from './run-index.ts';

const producerCodec: Field<ProducerRecord> = record({
  producerId: unsigned,
  epoch: unsigned,
  batches: list(record<RememberedBatch>({ firstSequence: unsigned, lastSequence: unsigned, baseOffset: unsigned })),
  lastSeenMs: unsigned,
});

const producerList = list(producerCodec);

const producersCodec: Field<ProducerTable | null> = nullable({
  write: (to, producers: ProducerTable) => producerList.write(to, [...producers.records()]),
  read: (from) => {
    const producers = new ProducerTable();
    for (const producer of producerList.read(from)) {
      producers.restore(producer);
    }
    return producers;
  },
});

const partitionCodec: Field<Partition> = {
  write: (to, partition) => {
    to.unsigned(partition.logStartOffset);
    to.unsigned(partition.highWatermark - partition.logStartOffset);
    to.unsigned(partition.storedBytes);
    writeRuns(to, partition);
    producersCodec.write(to, partition.producers);
  },
  read: (from) => {
    const logStartOffset = from.unsigned();
    const highWatermark = logStartOffset + from.unsigned();
    const storedBytes = from.unsigned();
    const runs = readRuns(from, highWatermark);
    return { logStartOffset, highWatermark, storedBytes, runs, producers: producersCodec.read(from) };
  },
};

export const topicCodec: Field<Topic> = record({
  id,
  name: text,
  partitions: list(partitionCodec),
  configs: map(text, text),
  createdAtMs: signed,
});
