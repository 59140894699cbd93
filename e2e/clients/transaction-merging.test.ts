// Merging takes the ends of transactions out of the index: agents write their control batches into merged files, and a consumer gets the
// same bytes and the same aborted transactions as before.
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BucketAudit } from './checker/bucket-audit.ts';
import { listOffsets } from './checker/raw-requests.ts';
import { RawConnection } from './support/raw-connection.ts';
import { int32, int64, string } from './support/raw-kafka.ts';
import { until } from './support/run.ts';
import { shortWindows } from './support/short-windows.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';
import { Reader } from './support/wire-reader.ts';

const TOPIC = 'ledger';
const TRANSACTIONS = 12;
const ANSWER_MS = 30_000;
const MERGED_WITHIN_MS = 60_000;
const FETCH = 1;
const FETCH_BYTES = 4096;
/** ListOffsets: the end of the partition. */
const LATEST = -1;
const isolationLevels = { read_uncommitted: 0, read_committed: 1 };

let system: TestSystem;

beforeAll(async () => {
  // At first there is no agent that merges.
  system = await startTestSystem({ agents: [serving()], metadataEnv: shortWindows });
});
afterAll(() => system.stop());

function serving() {
  return { env: { PENSTOCK_ROLES: 'produce,consume', PENSTOCK_CACHE_BYTES: '0' } };
}

async function transact(bootstrap: string): Promise<void> {
  const kafka = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING });
  const producer = kafka.producer({ transactionalId: 'ledger', idempotent: true, maxInFlightRequests: 1 });
  const plain = kafka.producer();
  await Promise.all([producer.connect(), plain.connect()]);
  for (let number = 0; number < TRANSACTIONS; number += 1) {
    const transaction = await producer.transaction();
    await transaction.send({
      topic: TOPIC,
      messages: [{ value: `first of ${number}` }, { value: `second of ${number}` }],
    });
    if (number % 4 === 1) {
      await plain.send({ topic: TOPIC, messages: [{ value: `beside ${number}` }] });
    }
    await (number % 3 === 2 ? transaction.abort() : transaction.commit());
  }
  await Promise.all([producer.disconnect(), plain.disconnect()]);
}

/** One answer to a consumer at this offset. */
async function fetchOnce(connection: RawConnection, isolationLevel: number, offset: bigint) {
  const partition = Buffer.concat([int32(0), int64(offset), int32(FETCH_BYTES)]);
  const head = [int32(-1), int32(100), int32(1), int32(FETCH_BYTES), Buffer.from([isolationLevel])];
  const body = Buffer.concat([...head, int32(1), string(TOPIC), int32(1), partition]);
  const reader = new Reader(await connection.ask(FETCH, 4, body, ANSWER_MS));
  // Throttle time, topics, name, partitions, index.
  reader.bytes(4 + 4 + 2 + TOPIC.length + 4 + 4);
  expect(reader.int16()).toBe(0);
  const [high, stable] = [reader.int64(), reader.int64()];
  expect(stable).toBe(high);
  const aborted = reader.array(() => `${reader.int64()}:${reader.int64()}`);
  return { high: BigInt(high), aborted, records: reader.bytes(Math.max(0, reader.int32())) };
}

/** Fetches the whole partition like a consumer. */
async function fetchAll(
  connection: RawConnection,
  isolationLevel: number,
): Promise<{ bytes: Buffer; aborted: string[] }> {
  const bytes: Buffer[] = [];
  const aborted = new Set<string>();
  for (let offset = 0n; ; ) {
    const answer = await fetchOnce(connection, isolationLevel, offset);
    for (const at of answer.aborted) {
      aborted.add(at);
    }
    bytes.push(answer.records);
    offset = endOf(answer.records, offset);
    if (offset >= answer.high) {
      return { bytes: Buffer.concat(bytes), aborted: [...aborted] };
    }
    expect(answer.records.length).toBeGreaterThan(0);
  }
}

/** As a consumer that waited at the end and another one that goes on in the middle of the partition, through an agent. */
async function readFromTheMiddle(bootstrap: string): Promise<void> {
  const connection = await RawConnection.open(bootstrap, ANSWER_MS);
  try {
    const [end] = await listOffsets(connection, [{ topic: TOPIC, partition: 0 }], LATEST, ANSWER_MS);
    const high = BigInt(end?.offset ?? -1);
    await fetchOnce(connection, isolationLevels.read_committed, high);
    const { records } = await fetchOnce(connection, isolationLevels.read_committed, high / 2n);
    expect(records.length).toBeGreaterThan(0);
  } finally {
    connection.close();
  }
}

/** The offset behind the last batch. */
function endOf(records: Buffer, from: bigint): bigint {
  let end = from;
  for (let at = 0; at < records.length; at += 12 + records.readInt32BE(at + 8)) {
    end = records.readBigInt64BE(at) + BigInt(records.readInt32BE(at + 23)) + 1n;
  }
  return end;
}

/** All that consumers can ask for. */
async function answers(bootstrap: string) {
  const connection = await RawConnection.open(bootstrap, ANSWER_MS);
  try {
    const fetched: Record<string, Awaited<ReturnType<typeof fetchAll>>> = {};
    for (const [name, level] of Object.entries(isolationLevels)) {
      fetched[name] = await fetchAll(connection, level);
    }
    const batches = fetched['read_uncommitted']?.bytes ?? Buffer.alloc(0);
    const timestamps: number[] = [];
    for (let at = 0; at < batches.length; at += 12 + batches.readInt32BE(at + 8)) {
      timestamps.push(Number(batches.readBigInt64BE(at + 35)));
    }
    const offsets: Record<number, number | undefined> = {};
    for (const timestampMs of timestamps) {
      const [found] = await listOffsets(connection, [{ topic: TOPIC, partition: 0 }], timestampMs, ANSWER_MS);
      offsets[timestampMs] = found?.offset;
    }
    return { fetched, offsets };
  } finally {
    connection.close();
  }
}

// Their rows are gone.
test('merging the ends of transactions keeps every byte', async () => {
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  await createTopic(bootstrap, TOPIC, 1);
  await transact(bootstrap);
  const audit = new BucketAudit(system.databaseUrl, system.demo?.clusterId ?? '');
  const rows = async (): Promise<number> => (await audit.compare([])).runsLeft;
  expect(await rows()).toBeGreaterThanOrEqual(2 * TRANSACTIONS);
  const before = await answers(bootstrap);
  expect(before.fetched['read_committed']?.aborted).toHaveLength(TRANSACTIONS / 3);
  expect(before.fetched['read_uncommitted']?.aborted).toEqual([]);

  await system.startAgent({ env: { PENSTOCK_ROLES: 'jobs' } });
  await until('the rows are merged', async () => (await rows()) <= 2, MERGED_WITHIN_MS);
  await audit.close();
  // An agent that has never seen the files before.
  const other = await system.startAgent(serving());
  expect(await answers(other.bootstrap)).toEqual(before);
  expect(await answers(bootstrap)).toEqual(before);
  // One that was asked for the middle of a merged run before, and knows from then where the run lies.
  const third = await system.startAgent(serving());
  await readFromTheMiddle(third.bootstrap);
  expect(await answers(third.bootstrap)).toEqual(before);
});
