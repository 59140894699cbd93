// The requests of the raw client, and parsers of their responses. Versions are the oldest that Kafka 4 serves.

import type { RawConnection } from '../support/raw-connection.ts';
import { int16, int32, int64, string } from '../support/raw-kafka.ts';
import { Reader } from '../support/wire-reader.ts';

export interface TopicPartition {
  topic: string;
  partition: number;
}

const MAX_BYTES = 1024 * 1024;

/** Topics with their partitions, each parsed by `body`. */
function byTopic(partitions: readonly TopicPartition[], body: (partition: TopicPartition) => Buffer): Buffer {
  const topics = [...Map.groupBy(partitions, ({ topic }) => topic)];
  return Buffer.concat([
    int32(topics.length),
    ...topics.flatMap(([topic, of]) => [string(topic), int32(of.length), ...of.map(body)]),
  ]);
}

function readByTopic<T>(reader: Reader, read: (partition: TopicPartition) => T): (TopicPartition & T)[] {
  return reader
    .array(() => {
      const topic = reader.string();
      return reader.array(() => {
        const partition = { topic, partition: reader.int32() };
        return { ...partition, ...read(partition) };
      });
    })
    .flat();
}

export interface Produced {
  errorCode: number;
  baseOffset: number;
}

/** Produce version 3 of one batch, acks=all. */
export async function produce(
  connection: RawConnection,
  { topic, partition }: TopicPartition,
  batch: Buffer,
  timeoutMs: number,
): Promise<Produced> {
  const body = Buffer.concat([
    int16(-1), // no transactional id
    int16(-1), // acks
    int32(timeoutMs),
    byTopic([{ topic, partition }], () => Buffer.concat([int32(partition), int32(batch.length), batch])),
  ]);
  const reader = new Reader(await connection.ask(0, 3, body, 2 * timeoutMs));
  const [answer] = readByTopic(reader, () => {
    const produced = { errorCode: reader.int16(), baseOffset: reader.int64() };
    reader.int64(); // time of the append
    return produced;
  });
  if (answer === undefined) {
    throw new Error('Produce was answered without the partition');
  }
  return answer;
}

export interface Fetched extends TopicPartition {
  errorCode: number;
  high: number;
  records: Buffer;
}

/** Fetch version 4, read uncommitted. */
export async function fetch(
  connection: RawConnection,
  positions: readonly (TopicPartition & { offset: number })[],
  waitMs: number,
  timeoutMs: number,
  partitionMaxBytes = MAX_BYTES,
): Promise<Fetched[]> {
  const offsets = new Map(positions.map(({ topic, partition, offset }) => [`${topic}-${partition}`, offset]));
  const body = Buffer.concat([
    int32(-1), // no replica
    int32(waitMs),
    int32(1), // min bytes
    int32(8 * MAX_BYTES),
    Buffer.from([0]), // isolation level
    byTopic(positions, ({ topic, partition }) =>
      Buffer.concat([
        int32(partition),
        int64(BigInt(offsets.get(`${topic}-${partition}`) ?? 0)),
        int32(partitionMaxBytes),
      ]),
    ),
  ]);
  const reader = new Reader(await connection.ask(1, 4, body, timeoutMs));
  reader.int32(); // throttle time
  return readByTopic(reader, () => {
    const [errorCode, high] = [reader.int16(), reader.int64()];
    reader.int64(); // last stable offset
    reader.array(() => reader.bytes(16)); // aborted transactions
    return { errorCode, high, records: reader.bytes(reader.int32()) };
  });
}

export const LATEST = -1;
export const EARLIEST = -2;

export interface ListedOffset extends TopicPartition {
  errorCode: number;
  offset: number;
}

/** Sends ListOffsets in version 1. */
export async function listOffsets(
  connection: RawConnection,
  partitions: readonly TopicPartition[],
  timestampMs: number,
  timeoutMs: number,
): Promise<ListedOffset[]> {
  const query = ({ partition }: TopicPartition): Buffer =>
    Buffer.concat([int32(partition), int64(BigInt(timestampMs))]);
  const body = Buffer.concat([int32(-1), byTopic(partitions, query)]);
  const reader = new Reader(await connection.ask(2, 1, body, timeoutMs));
  return readByTopic(reader, () => {
    const errorCode = reader.int16();
    reader.int64(); // timestamp
    return { errorCode, offset: reader.int64() };
  });
}

/** CreateTopics version 2. Resolves to the error code. */
export async function createTopic(
  connection: RawConnection,
  name: string,
  partitions: number,
  configs: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<number> {
  const entries = Object.entries(configs);
  const topic = Buffer.concat([
    ...[string(name), int32(partitions), int16(1), int32(0), int32(entries.length)],
    ...entries.flatMap(([config, value]) => [string(config), string(value)]),
  ]);
  const body = Buffer.concat([int32(1), topic, int32(timeoutMs), Buffer.from([0])]);
  const reader = new Reader(await connection.ask(19, 2, body, 2 * timeoutMs));
  reader.int32(); // throttle time
  const [errorCode] = reader.array(() => {
    reader.string();
    const code = reader.int16();
    reader.string(); // message
    return code;
  });
  return errorCode ?? -1;
}

/** DeleteTopics version 1. Resolves to the error code. */
export async function deleteTopic(connection: RawConnection, name: string, timeoutMs: number): Promise<number> {
  const body = Buffer.concat([int32(1), string(name), int32(timeoutMs)]);
  const reader = new Reader(await connection.ask(20, 1, body, 2 * timeoutMs));
  reader.int32(); // throttle time
  const [errorCode] = reader.array(() => {
    reader.string();
    return reader.int16();
  });
  return errorCode ?? -1;
}

/** DeleteRecords version 0. Resolves to the error code. */
export async function deleteRecords(
  connection: RawConnection,
  { topic, partition }: TopicPartition,
  beforeOffset: number,
  timeoutMs: number,
): Promise<number> {
  const offset = (): Buffer => Buffer.concat([int32(partition), int64(BigInt(beforeOffset))]);
  const body = Buffer.concat([byTopic([{ topic, partition }], offset), int32(timeoutMs)]);
  const reader = new Reader(await connection.ask(21, 0, body, 2 * timeoutMs));
  reader.int32(); // throttle time
  const [answer] = readByTopic(reader, () => {
    reader.int64(); // low watermark
    return { errorCode: reader.int16() };
  });
  return answer?.errorCode ?? -1;
}
