// Calls to the real handlers and owner, with their answers, as vectors. The agent's tests use an in-memory metadata service instead, which
// must answer the same (`metadata-client/src/testing/contract_tests.rs` replays them). `vitest run -u` on this file writes them anew.
import { create, type DescMessage, type MessageInitShape, toBinary, toJson } from '@bufbuild/protobuf';
import { MetadataService, WatchEventSchema } from '@penstock/metadata-protocol';
import { DAY_MS } from '@penstock/units';
import { expect, test } from 'vitest';
import type { Owner } from '../owners/owner.ts';
import { ORPHAN_AGE_MS } from '../settings.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import type { AgentCallContext } from './agent-call.ts';
import { commitFile } from './commit-file.ts';
import { describeCluster } from './describe-cluster.ts';
import { knownFiles } from './known-files.ts';
import { listOffsets } from './list-offsets.ts';
import { locate } from './locate.ts';
import { updateInterest } from './update-interest.ts';
import { watch } from './watch.ts';

const HANDLERS = { commitFile, describeCluster, knownFiles, listOffsets, locate, updateInterest };
type CallName = keyof typeof HANDLERS;
type Request<Name extends CallName> = MessageInitShape<(typeof MetadataService.method)[Name]['input']>;

const ORDERS = idOf(1);
const PAYMENTS = idOf(2);
const NOWHERE = idOf(9);
const START_MS = new ClusterFixture().clock.nowMs();
const ALL_BYTES = 1 << 30;
/** The time of every record, unless a batch has its own. */
const RECORD_MS = 1_000;
/** Streams collect news for a moment. */
const NEWS_WITHIN_MS = 1_000;
const MAX_SEQUENCE = 0x7fff_ffff;

function idOf(number: number): Uint8Array {
  return Buffer.alloc(16, number);
}

/** A UUIDv7 that was made at a time. */
function fileId(number: number, madeMs = START_MS): Uint8Array {
  const id = Buffer.alloc(16, number);
  id.writeUIntBE(madeMs, 0, 6);
  id.writeUInt8(0x70, 6);
  id.writeUInt8(0x80, 8);
  return id;
}

interface Batch {
  records: number;
  timestampMs?: number;
  /** Producer id, epoch and first sequence. */
  producer?: readonly [number, number, number];
}

interface Run {
  topicId: Uint8Array;
  partition: number;
  batches: readonly Batch[];
}

function run(topicId: Uint8Array, partition: number, ...batches: readonly Batch[]): Run {
  return { topicId, partition, batches };
}

function fileOf(id: Uint8Array, ...runs: readonly Run[]): Request<'commitFile'> {
  const bytesOf = ({ records }: Batch): number => 61 + records * 100;
  const batches = runs.flatMap((one) => one.batches);
  const topicIds = [...new Set(runs.map(({ topicId }) => topicId))];
  const runPosition: bigint[] = [];
  let end = 0;
  for (const one of runs) {
    runPosition.push(BigInt(end));
    end += one.batches.reduce((sum, batch) => sum + bytesOf(batch), 0);
  }
  const hasProducers = batches.some(({ producer }) => producer !== undefined);
  return {
    fileId: id,
    fileBytes: BigInt(end),
    topicIds,
    runTopic: runs.map(({ topicId }) => topicIds.indexOf(topicId)),
    runPartition: runs.map(({ partition }) => partition),
    runPosition,
    runBatches: runs.map((one) => one.batches.length),
    batchBytes: batches.map(bytesOf),
    batchRecords: batches.map(({ records }) => records),
    batchMaxTimestampMs: batches.map(({ timestampMs = RECORD_MS }) => BigInt(timestampMs)),
    batchUncompressedBytes: batches.map((batch) => BigInt(2 * bytesOf(batch))),
    ...(hasProducers && {
      batchProducerId: batches.map(({ producer }) => BigInt(producer?.[0] ?? -1)),
      batchProducerEpoch: batches.map(({ producer }) => producer?.[1] ?? -1),
      batchBaseSequence: batches.map(({ producer }) => producer?.[2] ?? -1),
    }),
  };
}

const cursor = (topicId: Uint8Array, partition: number, offset: number, maxBytes = ALL_BYTES) => ({
  topicId,
  partition,
  offset: BigInt(offset),
  maxBytes,
});

const query = (topicId: Uint8Array, partition: number, timestampMs: number, fromOffset = 0) => ({
  topicId,
  partition,
  timestampMs: BigInt(timestampMs),
  fromOffset: BigInt(fromOffset),
});

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Runs a scenario on a cluster of its own and records each step with the real answer. */
class Recorder {
  readonly steps: object[] = [];
  readonly #fixture: ClusterFixture;
  readonly #owner: Owner;
  #events: ReturnType<typeof watch> | undefined;
  #watchId = '';

  private constructor(fixture: ClusterFixture, owner: Owner) {
    this.#fixture = fixture;
    this.#owner = owner;
  }

  static async open(): Promise<Recorder> {
    const fixture = new ClusterFixture();
    return new Recorder(fixture, await fixture.open());
  }

  async createTopic(topicId: Uint8Array, name: string, partitions: number): Promise<void> {
    const topics = [{ name, topicId, partitions, configs: [] }];
    await this.#owner.submit({ kind: 'create-topics', topics, validateOnly: false });
    this.steps.push({ kind: 'create-topic', topicId: hexOf(topicId), name, partitions });
  }

  async deleteTopic(topicId: Uint8Array): Promise<void> {
    await this.#owner.submit({ kind: 'delete-topics', names: [], topicIds: [topicId] });
    this.steps.push({ kind: 'delete-topic', topicId: hexOf(topicId) });
  }

  async truncate(topicId: Uint8Array, partition: number, beforeOffset: number): Promise<void> {
    await this.#owner.submit({ kind: 'delete-records', partitions: [{ topicId, partition, beforeOffset }] });
    this.steps.push({ kind: 'truncate', topicId: hexOf(topicId), partition, beforeOffset });
  }

  /** Opens the watch stream that requests call `watch-1`. */
  async watch(): Promise<void> {
    const { signal } = new AbortController();
    const accessEnd = async () => undefined;
    const context = {
      owner: this.#owner,
      context: { signal },
      clock: this.#fixture.clock,
      accessEnd,
      scope: undefined,
    };
    this.#events = watch(context, { $typeName: 'penstock.metadata.v1.WatchRequest', agentId: 'agent' });
    const first = create(WatchEventSchema, (await this.#events.next()).value ?? {});
    expect(first.catalogue?.full).toBe(true);
    this.#watchId = first.watchId;
    this.steps.push({ kind: 'watch', watchId: 'watch-1' });
  }

  /** Records the partitions of the stream's next event. */
  async news(): Promise<void> {
    const next = this.#events?.next();
    await this.#fixture.clock.advance(NEWS_WITHIN_MS);
    const { partitions } = create(WatchEventSchema, (await next)?.value ?? {});
    this.#push({ kind: 'news' }, 'event', WatchEventSchema, create(WatchEventSchema, { partitions }));
  }

  async call<Name extends CallName>(name: Name, request: Request<Name>): Promise<void> {
    const { input, output, name: call } = MetadataService.method[name];
    const asked = create(input as DescMessage, request as MessageInitShape<DescMessage>);
    const sent = 'watchId' in request && request.watchId === 'watch-1' ? { ...asked, watchId: this.#watchId } : asked;
    const context = {
      owner: this.#owner,
      orphanAgeMs: ORPHAN_AGE_MS,
      chargeBatches: () => undefined,
      turn: () => undefined,
    } as unknown as AgentCallContext;
    const handler = HANDLERS[name] as unknown as (
      context: AgentCallContext,
      request: object,
    ) => Promise<MessageInitShape<DescMessage>>;
    const answer = create(output as DescMessage, comparable(name, await handler(context, sent)));
    const step = { kind: 'call', call };
    this.#push(step, 'request', input, asked);
    this.#push(this.steps.pop() ?? {}, 'response', output, answer);
  }

  /** Adds a message to a step as JSON, for people, and as bytes. */
  #push(step: object, field: string, schema: DescMessage, message: MessageInitShape<DescMessage>): void {
    const whole = create(schema, message);
    this.steps.push({
      ...step,
      [field]: toJson(schema, whole),
      [`${field}Hex`]: hexOf(toBinary(schema, whole)),
    });
  }
}

/** Reduces DescribeCluster to the topics, without their creation times: the in-memory service has no settings and no agents. */
function comparable(name: CallName, answer: MessageInitShape<DescMessage>): MessageInitShape<DescMessage> {
  if (name !== 'describeCluster') {
    return answer;
  }
  const schema = MetadataService.method.describeCluster.output;
  const { topics } = create(schema, answer as MessageInitShape<typeof schema>);
  return { topics: topics.map((topic) => ({ ...topic, createdAtMs: 0n })) } as MessageInitShape<DescMessage>;
}

const SCENARIOS: readonly (readonly [string, (recorder: Recorder) => Promise<void>])[] = [
  [
    'offsets follow each other in each partition',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 2);
      await recorder.call('locate', { cursors: [cursor(ORDERS, 0, 0), cursor(ORDERS, 0, 1)] });
      await recorder.call(
        'commitFile',
        fileOf(fileId(1), run(ORDERS, 0, { records: 2 }, { records: 3 }), run(ORDERS, 1, { records: 1 })),
      );
      await recorder.call('commitFile', fileOf(fileId(2), run(ORDERS, 0, { records: 4 })));
      await recorder.call('locate', {
        cursors: [
          cursor(ORDERS, 0, 0),
          cursor(ORDERS, 0, 0, 1),
          cursor(ORDERS, 0, 3),
          cursor(ORDERS, 0, 5),
          cursor(ORDERS, 0, 9),
          cursor(ORDERS, 0, 10),
          cursor(ORDERS, 1, 0),
        ],
      });
      await recorder.call('listOffsets', {
        queries: [query(ORDERS, 0, -1), query(ORDERS, 0, -2), query(ORDERS, 1, -1), query(ORDERS, 1, -4)],
      });
    },
  ],
  [
    'a file is committed once, however often it is sent',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 1);
      const file = fileOf(fileId(1), run(ORDERS, 0, { records: 2 }));
      await recorder.call('commitFile', file);
      await recorder.call('commitFile', fileOf(fileId(2), run(ORDERS, 0, { records: 1 })));
      await recorder.call('commitFile', file);
      await recorder.call('commitFile', fileOf(fileId(1), run(ORDERS, 0, { records: 2 }, { records: 1 })));
      await recorder.call('locate', { cursors: [cursor(ORDERS, 0, 0)] });
    },
  ],
  [
    'what does not exist is refused by itself',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 1);
      await recorder.call(
        'commitFile',
        fileOf(
          fileId(1),
          run(NOWHERE, 0, { records: 1 }, { records: 1 }),
          run(ORDERS, 1, { records: 1 }),
          run(ORDERS, 0, { records: 1 }),
        ),
      );
      await recorder.call('locate', { cursors: [cursor(NOWHERE, 0, 0), cursor(ORDERS, 1, 0), cursor(ORDERS, 0, 0)] });
      await recorder.call('listOffsets', {
        queries: [query(NOWHERE, 0, -1), query(ORDERS, 1, -2), query(ORDERS, 0, -1)],
      });
      await recorder.deleteTopic(ORDERS);
      await recorder.call('commitFile', fileOf(fileId(2), run(ORDERS, 0, { records: 1 })));
      await recorder.call('locate', { cursors: [cursor(ORDERS, 0, 0)] });
    },
  ],
  [
    'idempotent producers: gaps are refused, duplicates keep their offsets',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 2);
      const batch = (records: number, ...producer: readonly [number, number, number]) => ({ records, producer });
      await recorder.call(
        'commitFile',
        fileOf(fileId(1), run(ORDERS, 0, batch(2, 7, 0, 0), batch(1, 7, 0, 2)), run(ORDERS, 1, batch(1, 7, 0, 0))),
      );
      // A duplicate and a gap split the run.
      await recorder.call(
        'commitFile',
        fileOf(
          fileId(2),
          run(
            ORDERS,
            0,
            { records: 1, timestampMs: 2_000 },
            batch(2, 7, 0, 0),
            { records: 2 },
            batch(1, 7, 0, 5),
            batch(1, 7, 0, 3),
            batch(1, 7, 0, 4),
          ),
        ),
      );
      await recorder.call('commitFile', fileOf(fileId(3), run(ORDERS, 0, batch(1, 7, 0, 0), batch(1, 8, 0, 100))));
      await recorder.call('commitFile', fileOf(fileId(4), run(ORDERS, 0, batch(1, 8, -1, 0), batch(1, 8, 0, -1))));
      for (let at = 0; at < 6; at += 1) {
        await recorder.call('commitFile', fileOf(fileId(10 + at), run(ORDERS, 1, batch(1, 9, 0, at))));
      }
      // Five batches are remembered.
      await recorder.call('commitFile', fileOf(fileId(20), run(ORDERS, 1, batch(1, 9, 0, 1), batch(1, 9, 0, 0))));
      await recorder.call(
        'commitFile',
        fileOf(
          fileId(21),
          run(ORDERS, 1, batch(3, 10, 0, MAX_SEQUENCE - 1), batch(1, 10, 0, 1), batch(3, 10, 0, MAX_SEQUENCE - 1)),
        ),
      );
      await recorder.call('locate', { cursors: [cursor(ORDERS, 0, 0), cursor(ORDERS, 1, 0)] });
    },
  ],
  [
    'a producer’s later epoch fences its earlier ones',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 2);
      const batch = (...producer: readonly [number, number, number]) => ({ records: 1, producer });
      const commit = (number: number, partition: number, ...batches: readonly Batch[]) =>
        recorder.call('commitFile', fileOf(fileId(number), run(ORDERS, partition, ...batches)));
      await commit(1, 0, batch(7, 1, 0));
      await commit(2, 0, batch(7, 0, 1));
      await commit(3, 0, batch(7, 2, 1));
      await commit(4, 0, batch(7, 2, 0), batch(7, 2, 1));
      await commit(5, 0, batch(7, 1, 1));
      await commit(6, 1, batch(7, 0, 0));
      await recorder.call('listOffsets', { queries: [query(ORDERS, 0, -1), query(ORDERS, 1, -1)] });
    },
  ],
  [
    'the id of a file is neither old nor far ahead',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 1);
      const commit = (id: Uint8Array) => recorder.call('commitFile', fileOf(id, run(ORDERS, 0, { records: 1 })));
      await commit(fileId(1, START_MS - 660_000));
      await commit(fileId(2, START_MS + 360_000));
      await commit(idOf(3));
      await commit(fileId(4, START_MS - 540_000));
      await commit(fileId(5, START_MS + 240_000));
    },
  ],
  [
    'deleted records are gone, and their offsets stay used',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 1);
      await recorder.call('commitFile', fileOf(fileId(1), run(ORDERS, 0, { records: 4 })));
      await recorder.call('commitFile', fileOf(fileId(2), run(ORDERS, 0, { records: 4 })));
      await recorder.truncate(ORDERS, 0, 2);
      await recorder.call('locate', { cursors: [cursor(ORDERS, 0, 1), cursor(ORDERS, 0, 2)] });
      await recorder.call('listOffsets', { queries: [query(ORDERS, 0, -2), query(ORDERS, 0, RECORD_MS)] });
      await recorder.truncate(ORDERS, 0, 8);
      await recorder.call('locate', { cursors: [cursor(ORDERS, 0, 7), cursor(ORDERS, 0, 8)] });
      await recorder.call('listOffsets', {
        queries: [query(ORDERS, 0, -1), query(ORDERS, 0, -2), query(ORDERS, 0, -3), query(ORDERS, 0, 0)],
      });
      await recorder.call('commitFile', fileOf(fileId(3), run(ORDERS, 0, { records: 1 })));
      await recorder.call('locate', { cursors: [cursor(ORDERS, 0, 8)] });
    },
  ],
  [
    'offsets are found by time',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 2);
      for (const [at, timestampMs] of [3_000, 9_000, 5_000, 9_000, 4_000].entries()) {
        await recorder.call('commitFile', fileOf(fileId(1 + at), run(ORDERS, 0, { records: 2, timestampMs })));
      }
      const asked = [0, 3_000, 3_001, 9_000, 9_001, -3, -4, -5];
      await recorder.call('listOffsets', { queries: asked.map((ms) => query(ORDERS, 0, ms)) });
      await recorder.call('listOffsets', { queries: asked.map((ms) => query(ORDERS, 0, ms, 5)) });
      await recorder.call('listOffsets', { queries: asked.map((ms) => query(ORDERS, 0, ms, 10)) });
      await recorder.call('listOffsets', { queries: asked.map((ms) => query(ORDERS, 1, ms)) });
    },
  ],
  [
    'files are known while they may be committed, and once they are',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 1);
      await recorder.call('commitFile', fileOf(fileId(1), run(ORDERS, 0, { records: 1 })));
      const fileIds = [
        fileId(1),
        fileId(2),
        fileId(3, START_MS - 3 * DAY_MS),
        fileId(4, START_MS - DAY_MS),
        fileId(5, START_MS + DAY_MS),
        idOf(6),
      ];
      await recorder.call('knownFiles', { fileIds });
    },
  ],
  [
    'topics are described by name and by id',
    async (recorder) => {
      await recorder.createTopic(PAYMENTS, 'payments', 3);
      await recorder.createTopic(ORDERS, 'orders', 1);
      await recorder.call('describeCluster', {});
      await recorder.call('describeCluster', { topicNames: ['orders', 'payments', 'returns', 'orders'] });
      await recorder.call('describeCluster', { topicNames: ['orders'], topicIds: [NOWHERE, ORDERS, PAYMENTS] });
      await recorder.deleteTopic(ORDERS);
      await recorder.call('describeCluster', { topicNames: ['orders'] });
    },
  ],
  [
    'a watch stream brings the news of its partitions',
    async (recorder) => {
      await recorder.createTopic(ORDERS, 'orders', 2);
      await recorder.call('commitFile', fileOf(fileId(1), run(ORDERS, 0, { records: 2 })));
      await recorder.watch();
      const add = [
        { topicId: ORDERS, partition: 0 },
        { topicId: ORDERS, partition: 2 },
        { topicId: NOWHERE, partition: 0 },
      ];
      await recorder.call('updateInterest', { watchId: 'watch-1', add });
      await recorder.call('updateInterest', { watchId: 'another', add });
      await recorder.call('commitFile', fileOf(fileId(2), run(ORDERS, 1, { records: 1 })));
      await recorder.call(
        'commitFile',
        fileOf(fileId(3), run(ORDERS, 0, { records: 1 }, { records: 1 }), run(ORDERS, 1, { records: 1 })),
      );
      await recorder.news();
      const [orders] = add;
      const other = { topicId: ORDERS, partition: 1 };
      await recorder.call('updateInterest', { watchId: 'watch-1', add: [other], remove: orders ? [orders] : [] });
      await recorder.call(
        'commitFile',
        fileOf(fileId(4), run(ORDERS, 0, { records: 1 }), run(ORDERS, 1, { records: 1 })),
      );
      await recorder.news();
    },
  ],
];

test('the answers are those of the vectors', async () => {
  const scenarios: object[] = [];
  for (const [name, play] of SCENARIOS) {
    const recorder = await Recorder.open();
    await play(recorder);
    scenarios.push({ name, steps: recorder.steps });
  }
  await expect(`${JSON.stringify({ startMs: START_MS, scenarios }, null, 2)}\n`).toMatchFileSnapshot(
    '../../../../packages/metadata-protocol/vectors/metadata-calls.json',
  );
});
