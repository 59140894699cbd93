// The attacks on what tenants share and on what they are billed for. Each function is one step, which is repeated for as long as the
// attack lasts.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { MetadataService } from '@penstock/metadata-protocol';
import { ask, header, produceRaw } from '../../support/raw-kafka.ts';
import { type AttackContext, base64, uuidV7 } from './context.ts';
import { hostileBatches } from './hostile-batches.ts';
import { hasVersion, type RequestSpec, readRequestSpecs, versionRange } from './kafka-specs.ts';
import { randomRequestBody } from './random-kafka-request.ts';
import { randomRequest } from './random-message.ts';
import { envelope } from './rpc-caller.ts';

export type Attack = (context: AttackContext) => Promise<void>;

const MIB = 1024 * 1024;

/** Patterns that took from 1.8 to 17.7 s of the metadata process's one thread. */
const PATTERNS = [
  '(a?){1000}(a?){1000}.*',
  '(a{1000})'.repeat(400),
  '\\pL{1000}'.repeat(400),
  '(a{1000})'.repeat(1_300),
  `${'a|'.repeat(500_000)}a`,
  '((a{100}){100}){100}',
  '(.*)*(.*)*(.*)*x',
];

async function patterns({ rpc, random, note }: AttackContext): Promise<void> {
  const { status, body } = await rpc.call('ConsumerGroupHeartbeat', {
    groupId: `patterns-${random.below(20)}`,
    memberId: randomUUID(),
    memberEpoch: 0,
    rebalanceTimeoutMs: 30_000,
    subscribedTopicRegex: random.pick(PATTERNS),
    topicPartitions: { topics: [] },
    apiVersion: 1,
    clientId: 'strangers',
    clientHost: '/127.0.0.1',
    principal: 'User:ANONYMOUS',
  });
  note(status === 200 && body.includes('errorCode') ? 'refused' : `HTTP ${status}`);
}

/** An empty element of the repeated field 1 is two bytes. */
const EMPTY_ELEMENT = Buffer.from([0x0a, 0x00]);

const METHODS_WITH_LISTS = [
  'Locate',
  'ListOffsets',
  'CommitOffsets',
  'FetchOffsets',
  'KnownFiles',
  'CreateTopics',
  'DescribeGroups',
];

const BODY_BYTES = [MIB / 4, MIB, 4 * MIB, 16 * MIB, 31 * MIB];

interface HostileBody {
  bytes: Buffer;
  headers: Record<string, string>;
  encoding: 'application/proto' | 'application/json';
}

/** Made once: what the attacker computes counts against its share. */
const hostileBodies = new Map<string, HostileBody>();

function bodyOf(way: string, bytes: number): HostileBody {
  const name = `${way} ${bytes}`;
  const known = hostileBodies.get(name);
  if (known !== undefined) {
    return known;
  }
  const empty = Buffer.alloc(bytes, EMPTY_ELEMENT);
  const made: HostileBody =
    way === 'json'
      ? { bytes: Buffer.from(`{"cursors":[${'{},'.repeat(bytes / 3)}{}]}`), headers: {}, encoding: 'application/json' }
      : way === 'gzip'
        ? { bytes: gzipSync(empty), headers: { 'content-encoding': 'gzip' }, encoding: 'application/proto' }
        : {
            bytes: empty,
            // With a deadline, Connect's adapter answers; without one, the calls that are served directly.
            headers: way === 'adapter' ? { 'connect-timeout-ms': '20000' } : {},
            encoding: 'application/proto',
          };
  hostileBodies.set(name, made);
  return made;
}

async function bodies({ rpc, random, note }: AttackContext): Promise<void> {
  const { bytes, headers, encoding } = bodyOf(
    random.pick(['plain', 'adapter', 'gzip', 'json']),
    random.pick(BODY_BYTES),
  );
  const answer = await rpc.call(random.pick(METHODS_WITH_LISTS), bytes, headers, encoding);
  note(`HTTP ${answer.status}`);
}

const BIG = 'm'.repeat(MIB - 1_000);

/** Fills the state of the cluster, in every way that keeps something. */
async function state({ rpc, random, topic, note }: AttackContext): Promise<void> {
  const name = `state-${random.below(1_000_000)}`;
  const ways: [string, object][] = [
    [
      'JoinGroup',
      {
        groupId: name,
        sessionTimeoutMs: 1_800_000,
        rebalanceTimeoutMs: 60_000,
        protocolType: 'consumer',
        protocols: [{ name: 'range', metadata: base64(Buffer.from(BIG)) }],
        clientId: 'c',
        clientHost: '/h',
      },
    ],
    [
      'ConsumerGroupHeartbeat',
      {
        groupId: name,
        memberId: randomUUID(),
        memberEpoch: 0,
        rebalanceTimeoutMs: 30_000,
        subscribedTopicNames: { names: Array.from({ length: 4_000 }, (_, index) => `${'t'.repeat(200)}${index}`) },
        topicPartitions: { topics: [] },
        apiVersion: 1,
        clientId: 'c',
        clientHost: '/h',
        principal: 'User:ANONYMOUS',
      },
    ],
    [
      'CommitOffsets',
      {
        groupId: name,
        generationId: -1,
        offsets: Array.from({ length: 12 }, (_, partition) => ({
          topic,
          partition,
          offset: '1',
          metadata: 'x'.repeat(4_096),
        })),
      },
    ],
    [
      'CreateTopics',
      {
        topics: Array.from({ length: 100 }, (_, index) => ({
          name: `${name}-${index}-${'n'.repeat(200)}`,
          partitions: 100,
          configs: [],
        })),
      },
    ],
    [
      'InitProducerId',
      {
        producerId: '-1',
        producerEpoch: -1,
        requestId: base64(random.bytes(16)),
        transactionalId: `${name}-${'t'.repeat(1_000)}`,
        transactionTimeoutMs: 60_000,
      },
    ],
    ['RegisterAgent', { agentId: randomUUID(), version: 'v'.repeat(1_000), zone: 'z'.repeat(1_000) }],
  ];
  const [method, body] = random.pick(ways);
  const { status } = await rpc.call(method, body);
  note(`${method} HTTP ${status}`);
}

/** Commits and swaps that cannot be true: sizes, ratios, record counts, jobs that nobody handed out. */
async function lies({ rpc, random, topicId, agentId, note }: AttackContext): Promise<void> {
  const nowMs = Date.now();
  const fileId = uuidV7(nowMs);
  const commit = (batches: { bytes: number; records: number; uncompressed: number }[]) => ({
    fileId: base64(fileId),
    fileBytes: String(batches.reduce((sum, { bytes }) => sum + bytes, 0)),
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: ['0'],
    runBatches: [batches.length],
    batchBytes: batches.map(({ bytes }) => bytes),
    batchRecords: batches.map(({ records }) => records),
    batchMaxTimestampMs: batches.map(() => String(nowMs)),
    batchUncompressedBytes: batches.map(({ uncompressed }) => String(uncompressed)),
    agentId,
  });
  const lie = random.pick([
    () => commit([{ bytes: 61, records: 1, uncompressed: 8 * 1024 ** 3 }]),
    () => commit(Array.from({ length: 1_000 }, () => ({ bytes: 61, records: 1, uncompressed: 8 * 1024 ** 3 }))),
    () => commit([{ bytes: 1_000_000, records: 1_000, uncompressed: 61 }]),
    () => commit([{ bytes: 61, records: 2 ** 31 - 1, uncompressed: 61 }]),
    () => commit([{ bytes: 0, records: 1, uncompressed: 61 }]),
  ])();
  const committed = await rpc.call('CommitFile', lie);
  note(`CommitFile HTTP ${committed.status}`);
  const swap = await rpc.call('CompleteJob', {
    agentId,
    jobId: base64(uuidV7(nowMs)),
    fileId: base64(uuidV7(nowMs)),
    fileBytes: '3000000000',
    level: 2,
    sourceFileIds: [base64(fileId)],
    topicIds: [topicId],
    targetTopic: [0],
    targetPartition: [0],
    targetBaseOffset: ['0'],
    targetEndOffset: ['1'],
    targetPosition: ['0'],
    targetBytes: ['3000000000'],
    compact: true,
    targetSourceBytes: ['61'],
  });
  note(`CompleteJob HTTP ${swap.status}`);
}

const WIDE_PARTITIONS = 9_900;

/** Commits for as many partitions as a call takes, and for many more. */
async function wideCommits({ rpc, random, wideTopicId, agentId, note }: AttackContext): Promise<void> {
  const nowMs = Date.now();
  const runs = random.pick([1_000, 10_000, 32_768, 200_000]);
  const all = <Value>(value: Value): Value[] => Array.from({ length: runs }, () => value);
  const { status } = await rpc.call('CommitFile', {
    fileId: base64(uuidV7(nowMs)),
    fileBytes: String(runs * 100),
    topicIds: [wideTopicId],
    runTopic: all(0),
    runPartition: all(0).map((_, index) => index % WIDE_PARTITIONS),
    runPosition: all(0).map((_, index) => String(index * 100)),
    runBatches: all(1),
    batchBytes: all(100),
    batchRecords: all(1),
    batchMaxTimestampMs: all(String(nowMs)),
    batchUncompressedBytes: all('100'),
    agentId,
  });
  note(`${runs} partitions: HTTP ${status}`);
}

const LISTED_TOPICS = 2_500;
let listed = 0;

/** Lists that grow: of topics, groups and transactional ids, each asked for whole. */
async function lists({ rpc, random, note }: AttackContext): Promise<void> {
  if (listed < 20) {
    listed += 1;
    const prefix = `listed-${listed}`;
    await rpc.call('CreateTopics', {
      topics: Array.from({ length: LISTED_TOPICS }, (_, index) => ({ name: `${prefix}-${index}`, partitions: 1 })),
    });
  }
  const [method, body] = random.pick<[string, Buffer | object]>([
    ['DescribeCluster', Buffer.alloc(0)],
    ['DescribeCluster', {}],
    ['ListGroups', Buffer.alloc(0)],
    ['ListTransactions', Buffer.alloc(0)],
    ['DescribeSecurity', Buffer.alloc(0)],
    ['DeleteAcls', { filters: Array.from({ length: 100 }, () => ({ resourceType: 1, patternType: 1, operation: 1 })) }],
    ['CreatePartitions', { topics: [{ name: 'strangers', totalPartitions: 1_000_000 }] }],
  ]);
  const { status } = await rpc.call(method, body);
  note(`${method} HTTP ${status}`);
}

let hostile: [string, Buffer][] | undefined;

/** Record batches whose header lies about what is inside, and those that inflate. */
async function batches({ bootstrap, topic, random, note }: AttackContext): Promise<void> {
  hostile ??= hostileBatches();
  const [name, batch] = random.pick(hostile);
  const { errorCode } = await produceRaw(bootstrap, topic, batch).catch(() => ({ errorCode: -2 }));
  note(`${name}: ${errorCode === -2 ? 'connection closed' : `error ${errorCode}`}`);
}

/** Many calls wait for something that never comes. */
const FUZZ_TIMEOUT_MS = 300;

async function fuzzRpc({ rpc, random, topicId, topic, agentId, note }: AttackContext): Promise<void> {
  const method = random.pick(MetadataService.methods);
  const known = {
    bytes: [Buffer.from(topicId, 'base64'), uuidV7(Date.now())],
    texts: [topic, agentId, 'group', 'User:ANONYMOUS'],
  };
  const body = randomRequest(random, method.input, known);
  const { status } =
    method.methodKind === 'unary'
      ? await rpc.callFor(FUZZ_TIMEOUT_MS, method.name, body, 'application/proto')
      : await rpc.callFor(FUZZ_TIMEOUT_MS, method.name, envelope(body), 'application/connect+proto');
  note(status === 500 ? `${method.name} HTTP 500` : `HTTP ${status}`);
}

let specs: Promise<RequestSpec[]> | undefined;

async function fuzzKafka({ bootstrap, random, note }: AttackContext): Promise<void> {
  specs ??= readRequestSpecs();
  const spec = random.pick(await specs);
  const [first, last] = versionRange(spec.validVersions) ?? [0, 0];
  const version = random.chance(0.05) ? random.below(40) : first + random.below(last - first + 1);
  const isFlexible = hasVersion(spec.flexibleVersions, version) && spec.apiKey !== 18;
  const body = randomRequestBody(random, spec, version);
  const tags = Buffer.alloc(isFlexible ? 1 : 0);
  const outcome = await ask(bootstrap, Buffer.concat([header(spec.apiKey, version), tags, body]), FUZZ_TIMEOUT_MS).then(
    () => 'answered',
    () => 'connection closed or no answer',
  );
  note(outcome);
}

/** Commits as an honest agent sends them: the load that the attacks are compared with. */
async function honest({ rpc, topicId, agentId, note }: AttackContext): Promise<void> {
  const nowMs = Date.now();
  const committed = await rpc.json<{ errorCode?: number; batchErrorCode?: number[] }>('CommitFile', {
    fileId: base64(uuidV7(nowMs)),
    fileBytes: '16384',
    topicIds: [topicId],
    runTopic: [0],
    runPartition: [0],
    runPosition: ['0'],
    runBatches: [1],
    batchBytes: [16_384],
    batchRecords: [16],
    batchMaxTimestampMs: [String(nowMs)],
    batchUncompressedBytes: ['16384'],
    agentId,
  });
  const errors = [committed?.errorCode ?? 0, ...(committed?.batchErrorCode ?? [])].filter((code) => code !== 0);
  note(committed === undefined || errors.length > 0 ? `refused: error ${errors[0]}` : 'committed');
}

/** By name, in the order in which they run. */
export const ATTACKS = new Map<string, Attack>([
  ['patterns', patterns],
  ['bodies', bodies],
  ['state', state],
  ['lies', lies],
  ['wide-commits', wideCommits],
  ['lists', lists],
  ['batches', batches],
  ['fuzz-rpc', fuzzRpc],
  ['fuzz-kafka', fuzzKafka],
]);

/** The attacks and what they are compared with. */
export const LOADS: ReadonlyMap<string, Attack> = new Map([...ATTACKS, ['honest', honest]]);
