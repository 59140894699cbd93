// Metering under faults: agents, the metadata process and the worker are killed while idempotent producers send, and the metered bytes
// equal the acknowledged bytes. The seed decides which process dies when: PENSTOCK_E2E_SEED=7 repeats a run.
import { createHash, randomInt } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ManagedProcess } from '../../infra/local/managed-process.ts';
import { randomNumbers } from './support/random.ts';
import { recompute } from './support/recompute.ts';
import { until } from './support/run.ts';
import { storedBatches } from './support/stored-batches.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { startTraffic } from './support/traffic.ts';

const seed = Number(process.env['PENSTOCK_E2E_SEED'] ?? randomInt(2 ** 31));
const PARTITIONS = 6;
/** One client each: billing must not depend on how well a client compresses. */
const codecs = ['none', 'gzip', 'zstd'] as const;
const MOST_RECORDS_BETWEEN_FAULTS = 1_000;

let system: TestSystem;
let database: pg.Client;

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}, {}], hasWorker: true });
  database = new pg.Client({ connectionString: system.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await system?.stop();
});

/** Keeps failure messages short when megabytes of values differ. */
function digest(values: readonly string[]): { count: number; sha256: string } {
  return { count: values.length, sha256: createHash('sha256').update(JSON.stringify(values)).digest('hex') };
}

interface Fault {
  process: ManagedProcess;
  /** How many more records each producer acknowledges before the next kill. */
  afterRecords: number;
}

/** Each agent and the metadata process die once, the worker three times, in random order and at random intervals. */
function drawFaults(): Fault[] {
  const [first, second] = system.agents;
  const { worker } = system;
  const metadata = system.metadata[0]?.process;
  if (first === undefined || second === undefined || worker === undefined || metadata === undefined) {
    throw new Error('The system lacks a part');
  }
  const random = randomNumbers(seed);
  return [first.process, second.process, metadata, worker, worker, worker]
    .map((process) => ({ process, order: random() }))
    .sort((left, right) => left.order - right.order)
    .map(({ process }) => ({ process, afterRecords: Math.ceil(random() * MOST_RECORDS_BETWEEN_FAULTS) }));
}

async function one<Row extends pg.QueryResultRow>(text: string): Promise<Row> {
  const { rows } = await database.query<Row>(text, [system.demo?.clusterId]);
  const [row] = rows;
  if (row === undefined) {
    throw new Error(`no row: ${text}`);
  }
  return row;
}

/** Waits until everything in the journal by now is in the ledger. */
async function untilFolded(): Promise<void> {
  const { seq } = await one<{ seq: string }>('SELECT max(seq) AS seq FROM metadata_journal WHERE cluster_id = $1');
  await until(`the ledger has entry ${seq}`, async () => {
    const folded = await one<{ seq: string | null }>(
      'SELECT max(seq) AS seq FROM metering_checkpoint WHERE cluster_id = $1',
    );
    return BigInt(folded.seq ?? 0) >= BigInt(seq);
  });
}

// Of agents, the metadata process and the worker, at random points.
test(`metered bytes equal acknowledged bytes (seed ${seed})`, async () => {
  const topics = codecs.map((codec) => `metered-${codec}`);
  const [, second] = system.agents;
  const bootstrap = second?.bootstrap ?? '';
  const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ topics: topics.map((topic) => ({ topic, numPartitions: PARTITIONS })) });
  await admin.disconnect();
  const traffic = await Promise.all(
    codecs.map((codec, index) =>
      startTraffic({
        bootstrap: system.agents.map((agent) => agent.bootstrap).join(','),
        topic: topics[index] ?? '',
        client: {
          'compression.type': codec,
          acks: 'all',
          // Many small requests, few at a time, so that each kill interrupts some.
          'batch.num.messages': 50,
          'max.in.flight.requests.per.connection': 2,
          'queue.buffering.max.messages': 500,
          'retry.backoff.max.ms': 500,
        },
      }),
    ),
  );
  const flow = (records: number) => Promise.all(traffic.map((one) => one.flows(records)));
  const restarts = new Map<ManagedProcess, Promise<void>>();
  for (const { process, afterRecords } of drawFaults()) {
    await flow(afterRecords);
    // The process may still be down at the next kill; only one that is killed again must be up first.
    await restarts.get(process);
    await process.kill();
    const restart = process.start();
    restart.catch(() => undefined);
    restarts.set(process, restart);
  }
  await Promise.all(restarts.values());
  await flow(MOST_RECORDS_BETWEEN_FAULTS);
  // Every record is acknowledged, so none has an unknown outcome.
  const sent = await Promise.all(traffic.map((one) => one.stop()));

  // The stored records equal the acknowledged ones: every value once, nothing else.
  const stored = await Promise.all(topics.map((topic) => storedBatches(bootstrap, topic, PARTITIONS)));
  for (const [index, { values }] of sent.entries()) {
    const found = stored[index]?.flatMap((batch) => batch.values) ?? [];
    expect(digest(found.sort())).toEqual(digest([...values].sort()));
  }
  const sum = (size: (batch: (typeof stored)[number][number]) => number): string =>
    String(stored.flat().reduce((total, batch) => total + size(batch), 0));

  await untilFolded();
  const ledger = await one<Record<string, string>>(
    `SELECT sum(uncompressed_bytes) AS uncompressed, sum(stored_bytes) AS stored, sum(records) AS records
     FROM usage_hour WHERE cluster_id = $1`,
  );
  expect(ledger).toEqual({
    uncompressed: sum((batch) => batch.uncompressedBytes),
    stored: sum((batch) => batch.storedBytes),
    records: String(sent.reduce((total, { values }) => total + values.length, 0)),
  });
  const recomputed = await recompute(system, system.demo?.organizationId ?? '');
  expect(recomputed.code, recomputed.output).toBe(0);
  expect(system.deaths).toEqual([]);
});
