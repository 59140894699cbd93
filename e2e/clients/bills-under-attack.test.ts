// Billing under attack: a stolen agent key and a hostile producer, while an honest one writes. Each attack adds a row
// to a table: what was billed, what can be read for it, and what was refused. Finally, the bills that operators
// recompute from the journal match exactly what was written.
import { updateBudget } from '@penstock/billing';
import { createMetadataAdmin, setQuota } from '@penstock/clusters';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Batch, emptyRecords, HEADER_BYTES, MIB, plainBatch, zstdBatch } from './bills/batches.ts';
import { Bills, sum, type Target } from './bills/bills.ts';
import { type Claim, StolenKey } from './bills/stolen-key.ts';
import { batchOf, NONE } from './strangers/attacker/hostile-batches.ts';
import {
  type ClusterAccess,
  createOtherCluster,
  createOtherOrganization,
  inDemoOrganization,
  inOrganization,
} from './support/accounts.ts';
import { type Codec, clients } from './support/clients.ts';
import { produceRaw } from './support/raw-kafka.ts';
import { makeValues } from './support/records.ts';
import { until } from './support/run.ts';
import { shortWindows } from './support/short-windows.ts';
import { readableBytes, type StoredBatch, storedBatches } from './support/stored-batches.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { createTopic } from './support/topics.ts';

const GIB = 1024 ** 3;
const PARTITIONS = 3;
const codecs: Codec[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
const values = makeValues(1_000);
const errors = { none: 0, messageTooLarge: 10, invalidRecord: 87 };
/** The defaults of max.message.bytes and max.uncompressed.batch.bytes; the first counts the header. */
const MAX_MESSAGE_BYTES = MIB + 12;
const MAX_UNCOMPRESSED_BYTES = 64 * MIB;

let system: TestSystem;
let bills: Bills;
let honestBootstrap = '';
let honest: Promise<unknown>;
/** One for the attacks of the demo organization, one for its jobs. */
let lying: Target;
let merging: Target;
/** The clusters of an organization of their own, because a cap stops all clusters of one. */
let capped: Target;
let dev: Target;
let otherOrganizationId = '';

async function attackedCluster(access: ClusterAccess): Promise<Target> {
  // Without the role for jobs, which are for the program with the stolen key.
  const agent = await system.startAgent({ ...access, env: { PENSTOCK_ROLES: 'produce,consume' } });
  return { key: await StolenKey.use(system, access), bootstrap: agent.bootstrap };
}

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}], metadataEnv: shortWindows });
  bills = new Bills(system);
  honestBootstrap = system.agents[0]?.bootstrap ?? '';
  honest = sendHonestly();
  honest.catch(() => undefined);
  otherOrganizationId = await createOtherOrganization(system, 'Other');
  const organizationId = otherOrganizationId;
  lying = await attackedCluster(await createOtherCluster(system, { name: 'lying' }));
  merging = await attackedCluster(await createOtherCluster(system, { name: 'merging' }));
  capped = await attackedCluster(await createOtherCluster(system, { name: 'capped', organizationId }));
  dev = await attackedCluster(await createOtherCluster(system, { name: 'dev', mode: 'dev', organizationId }));
});
afterAll(async () => {
  for (const target of [lying, merging, capped, dev]) {
    target?.key.close();
  }
  await bills?.close();
  await system?.stop();
  process.stdout.write(bills?.table() ?? '');
});

async function sendHonestly(): Promise<void> {
  const [kcat] = clients;
  for (const codec of codecs) {
    await createTopic(honestBootstrap, `honest-${codec}`, PARTITIONS);
    await kcat?.produce(honestBootstrap, `honest-${codec}`, values, codec);
  }
}

const stub = plainBatch(100);
const large = plainBatch(5_000_000);
/** As much as one batch may decompress to, in two thousand bytes. */
const dense = zstdBatch(MAX_UNCOMPRESSED_BYTES);

/** Stores a file of these batches and commits it truly. */
async function write({ key }: Target, topicId: string, batches: readonly Batch[]) {
  const fileId = key.newFileId();
  await key.store(fileId, Buffer.concat(batches.map(({ bytes }) => bytes)));
  return { fileId, refused: await key.commit(topicId, fileId, batches) };
}

test('reaching a spending cap begins the grace for files in flight', async () => {
  const topicId = await capped.key.createTopic('capped');
  // 0.75 GiB, more than half a cent: the line rounds to $0.01.
  const batches = Array.from({ length: 12 }, () => dense);
  const row = await bills.attack('cap: before it is reached', capped, ['capped'], async () => ({
    accepted: batches,
    refused: (await write(capped, topicId, batches)).refused,
  }));
  expect(row).toMatchObject({ refused: [], readableBytes: 12 * dense.storedBytes });
  const { writesRefusedReason } = await inOrganization(system, otherOrganizationId, (scope) =>
    updateBudget(scope, { capUsd: '0.01' }, 'http://localhost'),
  );
  expect(writesRefusedReason).toContain('reached its spending cap of $0.01');
});

test('under-reporting: unbilled bytes cannot be read', async () => {
  const topicId = await lying.key.createTopic('under-reported');
  const row = await bills.attack('under-reporting: sizes of a commit', lying, ['under-reported'], async () => {
    const fileId = lying.key.newFileId();
    await lying.key.store(fileId, Buffer.concat([stub.bytes, large.bytes]));
    const refused = [
      ...(await lying.key.commit(topicId, fileId, [{ ...large, uncompressedBytes: HEADER_BYTES }])),
      // The object is larger than the file that is named, and has a batch that is not named.
      ...(await lying.key.commit(topicId, fileId, [stub])),
    ];
    return { accepted: [stub], refused };
  });
  expect(row).toMatchObject({
    readableBytes: stub.storedBytes,
    refused: [`batch_uncompressed_bytes[0] is 61, but the batch has ${large.storedBytes} bytes as stored`],
  });
});

test('under-reporting: a batch is read as far as it was named', async () => {
  const topicId = await lying.key.createTopic('truncated');
  const row = await bills.attack('under-reporting: the front of a batch', lying, ['truncated'], async () => {
    const fileId = lying.key.newFileId();
    await lying.key.store(fileId, large.bytes);
    return { accepted: [stub], refused: await lying.key.commit(topicId, fileId, [stub]) };
  });
  expect(row.readableBytes).toBe(0);
});

test('under-reporting: no unordered object replaces a stub', async () => {
  const topicId = await lying.key.createTopic('unordered');
  const row = await bills.attack('under-reporting: CompleteJob without a job', lying, ['unordered'], async () => {
    const { fileId } = await write(lying, topicId, [stub]);
    const source = { topicId, fileId, bytes: stub.storedBytes, records: 1 };
    const target = { fileId: lying.key.newFileId(), bytes: large.storedBytes };
    await lying.key.store(target.fileId, large.bytes);
    return { accepted: [stub], refused: await lying.key.complete(lying.key.swapOf(source, target)) };
  });
  expect(row).toMatchObject({ readableBytes: stub.storedBytes, refused: [expect.stringContaining('handed out')] });
});

test('over-reporting: impossible claims are refused', async () => {
  const topicId = await lying.key.createTopic('over-reported');
  const row = await bills.attack('over-reporting', lying, ['over-reported'], async () => {
    const claims: Claim[][] = [
      [{ storedBytes: 61, uncompressedBytes: 8 * GIB, records: 1 }],
      [{ storedBytes: 1_061, uncompressedBytes: HEADER_BYTES + 1_000 * 32_768 + 1, records: 1 }],
      Array.from({ length: 36 }, () => ({ storedBytes: 4_000, uncompressedBytes: 64 * MIB, records: 1 })),
      [{ storedBytes: 33_000, uncompressedBytes: GIB, records: 1 }],
      [{ storedBytes: 1_000, uncompressedBytes: 1_000, records: 1_000 }],
    ];
    const refused = await Promise.all(claims.map((claim) => lying.key.commit(topicId, lying.key.newFileId(), claim)));
    return { accepted: [], refused: refused.flat() };
  });
  expect(row).toMatchObject({
    billedBytes: 0,
    readableBytes: 0,
    refused: [
      'batch_uncompressed_bytes[0] is 8589934592, but the batch has 61 bytes as stored',
      'batch_uncompressed_bytes[0] is 32768062, but the batch has 1061 bytes as stored',
      expect.stringContaining('but a file of 144000 bytes may hold at most'),
      `error ${errors.messageTooLarge}`,
      `error ${errors.invalidRecord}`,
    ],
  });
});

test('stub and swap: a replaced object is read as far as billed', async () => {
  const topicId = await lying.key.createTopic('swapped');
  const row = await bills.attack('swap: the object is replaced in the bucket', lying, ['swapped'], async () => {
    const { fileId, refused } = await write(lying, topicId, [stub]);
    await lying.key.store(fileId, Buffer.concat([stub.bytes, large.bytes]));
    return { accepted: [stub], refused };
  });
  expect(row).toMatchObject({ readableBytes: stub.storedBytes, refused: [] });
});

// Four fifths of the stored bytes are billed.
test('stub and swap: better compression hides at most a fifth', async () => {
  const topicId = await lying.key.createTopic('denser');
  const row = await bills.attack('swap: by a denser batch of the same length', lying, ['denser'], async () => {
    const fileId = lying.key.newFileId();
    await lying.key.store(fileId, dense.bytes);
    const claim = { ...dense, uncompressedBytes: Math.ceil((dense.storedBytes * 4) / 5) };
    return { accepted: [claim], refused: await lying.key.commit(topicId, fileId, [claim]) };
  });
  expect(row).toMatchObject({ readableBytes: dense.storedBytes, refused: [] });
});

test('stub and swap: no missing object replaces honest records', async () => {
  await honest;
  const key = await StolenKey.use(system, { clusterId: '', agentKey: '', ...system.demo });
  const target = { key, bootstrap: honestBootstrap };
  const { topics } = await key.call<{ topics: { name: string; topicId: string }[] }>('DescribeCluster', {
    topicNames: ['honest-none'],
  });
  const topicId = topics.find(({ name }) => name === 'honest-none')?.topicId ?? '';
  const row = await bills.attack('swap: by an object that does not exist', target, [], async () => {
    interface Located {
      located: { runs: { fileId: string; bytes: number; records: number }[] }[];
    }
    const cursors = [{ topicId, partition: 0, offset: '0', maxBytes: 1 }];
    const [run] = (await key.call<Located>('Locate', { cursors })).located[0]?.runs ?? [];
    if (run === undefined) {
      throw new Error('There is no record to replace');
    }
    const absent = { fileId: key.newFileId(), bytes: run.bytes };
    return { accepted: [], refused: await key.complete(key.swapOf({ topicId, ...run }, absent)) };
  });
  key.close();
  expect(row).toMatchObject({ billedBytes: 0, refused: [expect.stringContaining('handed out')] });
});

test('a commit without an object is billed but unreadable', async () => {
  const topicId = await lying.key.createTopic('absent');
  const row = await bills.attack('a commit without an object', lying, ['absent'], async () => ({
    accepted: [stub],
    refused: await lying.key.commit(topicId, lying.key.newFileId(), [stub]),
  }));
  expect(row).toMatchObject({ readableBytes: 0, refused: [] });
});

test('replay: a commit and a batch are billed once', async () => {
  const topicId = await lying.key.createTopic('replayed');
  const { producerId = '' } = await lying.key.call<{ producerId?: string }>('InitProducerId', {
    ...{ producerId: '-1', producerEpoch: -1, requestId: lying.key.newFileId() },
  });
  const row = await bills.attack('replay: of a commit, of a batch', lying, ['replayed'], async () => {
    const { fileId, refused } = await write(lying, topicId, [stub]);
    refused.push(...(await lying.key.commit(topicId, fileId, [stub])));
    refused.push(...(await lying.key.commit(topicId, fileId, [stub, stub])));
    const idempotent = { ...stub, producer: { id: producerId, sequence: 0 } };
    refused.push(...(await write(lying, topicId, [idempotent])).refused);
    refused.push(...(await write(lying, topicId, [idempotent])).refused);
    return { accepted: [stub, idempotent], refused };
  });
  expect(row).toMatchObject({
    readableBytes: 2 * stub.storedBytes,
    refused: ['The answer for this file id is no longer known: write the records to a new file.'],
  });
});

test('replay: a job’s plan completes that job alone, once', async () => {
  const [topicId, othersTopicId] = [await merging.key.createTopic('merged'), await lying.key.createTopic('other-plan')];
  const takenBy = async ({ key }: Target) => {
    let job = await key.takeJob();
    await until('there is a job', async () => {
      job ??= await key.takeJob();
      return job !== undefined;
    });
    if (job === undefined) {
      throw new Error('there was no job');
    }
    return job;
  };
  const row = await bills.attack('replay: of a completion, of a plan', merging, ['merged'], async () => {
    await write(merging, topicId, [stub]);
    await write(merging, topicId, [stub]);
    const first = await takenBy(merging);
    const completion = await merging.key.merge(first);
    const tooLarge = { ...completion, targetBytes: [String(large.storedBytes)], fileBytes: String(large.storedBytes) };
    const refused = await merging.key.complete(tooLarge);
    expect(await merging.key.complete(completion)).toEqual([]);
    expect(await merging.key.complete(completion)).toEqual([]);
    await write(merging, topicId, [stub]);
    await write(merging, topicId, [stub]);
    const next = await takenBy(merging);
    const other = await merging.key.merge(next);
    // The job itself was handed out, so it is completed as another one: by the plan that is left over, and by a plan of another cluster.
    await Promise.all([1, 2].map(() => write(lying, othersTopicId, [stub])));
    bills.owe(lying.key.clusterId, [stub, stub]);
    const foreign = await takenBy(lying);
    for (const replayed of [
      { jobId: first.jobId, plan: first.plan },
      { jobId: merging.key.newFileId(), plan: first.plan },
      { jobId: foreign.jobId, plan: foreign.plan },
    ]) {
      refused.push(...(await merging.key.complete({ ...other, ...replayed })));
    }
    return { accepted: [stub, stub, stub, stub], refused };
  });
  expect(row).toMatchObject({
    readableBytes: 4 * stub.storedBytes,
    refused: [
      expect.stringMatching(/has 5000061 bytes of sources, but the job said 322/),
      expect.stringMatching(/is not a source of the job/),
      expect.stringMatching(/for another job/),
      expect.stringMatching(/not handed out by this/),
    ],
  });
});

test('bombs: the agent also refuses oversized batches', async () => {
  const topic = 'bombs';
  await lying.key.createTopic(topic);
  const row = await bills.attack('bombs: 33 kB that decompress to 1 GiB', lying, [topic], async () => {
    const bomb = zstdBatch(GIB);
    expect(bomb.storedBytes).toBeLessThan(34_000);
    const { errorCode, errorMessage } = await produceRaw(lying.bootstrap, topic, bomb.bytes);
    return { accepted: [], refused: [`error ${errorCode} ${errorMessage}`] };
  });
  expect(row).toMatchObject({ readableBytes: 0, refused: [expect.stringContaining('max.uncompressed.batch.bytes')] });
});

test('bombs: quotas count what is billed', async () => {
  const topic = 'throttled';
  await lying.key.createTopic(topic);
  const metadata = createMetadataAdmin({
    urls: system.metadata.map(({ adminUrl }) => adminUrl),
    keys: system.adminKeys,
  });
  const quota = { clusterId: lying.key.clusterId, clientId: 'raw', producerByteRate: MIB };
  await inDemoOrganization(system, (scope) => setQuota(scope, metadata, quota));
  metadata.close();
  const accepted: Claim[] = [];
  const row = await bills.attack('bombs: 2 kB billed as 64 MiB, quota 1 MiB/s', lying, [topic], async () => {
    let throttledMs = 0;
    await until('the agent knows the quota', async () => {
      const { errorCode, throttleMs } = await produceRaw(lying.bootstrap, topic, dense.bytes);
      expect(errorCode).toBe(errors.none);
      accepted.push(dense);
      throttledMs = throttleMs;
      return throttleMs > 0;
    });
    return { accepted, refused: [`throttled for ${throttledMs} ms`] };
  });
  expect(row.readableBytes).toBe(accepted.length * dense.storedBytes);
});

test('a Dev cluster takes its burst, and then its rate', async () => {
  const topicId = await dev.key.createTopic('fast');
  const file = Array.from({ length: 31 }, () => dense);
  const row = await bills.attack('Dev limit: 10 MiB/s', dev, ['fast'], async () => {
    const refused: string[] = [];
    for (let files = 0; files < 3; files += 1) {
      refused.push(...(await write(dev, topicId, file)).refused);
    }
    return { accepted: [...file, ...file], refused };
  });
  expect(row).toMatchObject({
    readableBytes: 62 * dense.storedBytes,
    refused: [expect.stringContaining('A Dev cluster takes 10 MiB/s')],
  });
});

test('beyond the cap, only files in flight are accepted', async () => {
  const topicId = await capped.key.createTopic('beyond');
  const accepted: Claim[] = [];
  const row = await bills.attack('cap: after it is reached', capped, ['beyond'], async () => {
    let refused: string[] = [];
    await until('the owner refuses files', async () => {
      ({ refused } = await write(capped, topicId, [stub]));
      accepted.push(...(refused.length === 0 ? [stub] : []));
      return refused.length > 0;
    });
    const huge = { storedBytes: 900_000_000, uncompressedBytes: 900_000_000, records: 1 };
    refused.push(...(await capped.key.commit(topicId, capped.key.newFileId(), [huge])));
    return { accepted, refused };
  });
  const text = expect.stringContaining('reached its spending cap of $0.01');
  expect(row).toMatchObject({ readableBytes: accepted.length * stub.storedBytes, refused: [text, text] });
});

test('honest batches are accepted up to every limit', async () => {
  const topic = 'limits';
  await createTopic(honestBootstrap, topic, 1);
  const atLimit = [plainBatch(MAX_MESSAGE_BYTES - HEADER_BYTES), zstdBatch(MAX_UNCOMPRESSED_BYTES), emptyRecords(64)];
  for (const batch of atLimit) {
    expect(await produceRaw(honestBootstrap, topic, batch.bytes)).toMatchObject({ errorCode: errors.none });
  }
  const short = emptyRecords(64).bytes.subarray(HEADER_BYTES);
  const beyond = [
    plainBatch(MAX_MESSAGE_BYTES - HEADER_BYTES + 1).bytes,
    zstdBatch(MAX_UNCOMPRESSED_BYTES + 1).bytes,
    batchOf(short, { codec: NONE, records: 65 }),
  ];
  const refused: number[] = [];
  for (const batch of beyond) {
    refused.push((await produceRaw(honestBootstrap, topic, batch)).errorCode);
  }
  expect(refused).toEqual([errors.messageTooLarge, errors.messageTooLarge, errors.invalidRecord]);
  bills.owe(system.demo?.clusterId ?? '', atLimit);
});

test('honest traffic of all codecs is billed to the byte', async () => {
  await honest;
  const stored: StoredBatch[] = [];
  for (const codec of codecs) {
    const batches = await storedBatches(honestBootstrap, `honest-${codec}`, PARTITIONS);
    expect(batches.flatMap((batch) => batch.values).sort(), codec).toEqual(values);
    stored.push(...batches);
  }
  const clusterId = system.demo?.clusterId ?? '';
  bills.owe(clusterId, stored);
  bills.add({
    attack: 'honest: all codecs, batches at every limit',
    ...{ billedBytes: await bills.billedBytes(clusterId), refused: [] },
    readableBytes: sum(stored, ({ storedBytes }) => storedBytes) + (await readableBytes(honestBootstrap, 'limits')),
  });
  await bills.expectBills([system.demo?.organizationId ?? '', otherOrganizationId]);
  expect(system.deaths).toEqual([]);
});
