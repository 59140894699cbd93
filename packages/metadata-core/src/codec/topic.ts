// Snapshot format of a topic with its partitions.
import type { Partition } from '../state/partition.ts';
import type { ProducerEntry, RememberedBatch } from '../state/producer-entry.ts';
import type { Topic } from '../state/topic.ts';
import { type Field, id, list, map, nullable, record, signed, text, unsigned } from './field.ts';
import { readRuns, writeRuns } from './run-index.ts';

const producerCodec: Field<ProducerEntry> = record({
  epoch: unsigned,
  batches: list(record<RememberedBatch>({ firstSequence: unsigned, lastSequence: unsigned, baseOffset: unsigned })),
  lastSeenMs: unsigned,
});

const producersCodec = nullable(map(unsigned, producerCodec));

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
