import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import type { CommitFile } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { idKey } from '../model/ids.ts';
import { PRODUCER_EXPIRATION_MS } from '../model/limits.ts';
import { clusterTotals, knownFiles, partitionViews } from '../queries/cluster.ts';
import { locate } from '../queries/locate.ts';
import { commitOf, fileId, id, START_MS, TestCluster, type TestRun } from '../testing/cluster.ts';

const NAMES = new Map<number, string>(Object.entries(ErrorCode).map(([name, code]) => [code, name]));

/** `producer/epoch/sequence+records` per batch; a batch without a producer is `+records`. One letter before `:` names the partition. */
function runOf(text: string): TestRun {
  const [partition = '0', batches = ''] = text.split(':');
  return {
    partition: Number(partition),
    batches: batches
      .trim()
      .split(/\s+/)
      .map((batch) => {
        const [producer = '', records = ''] = batch.split('+');
        const [pid, epoch, sequence] = producer.split('/').map(Number);
        return producer === ''
          ? { records: Number(records) }
          : { records: Number(records), producer: [pid ?? -1, epoch ?? -1, sequence ?? -1] as const };
      }),
  };
}

function verdicts(cluster: TestCluster, runs: readonly string[]): string {
  const { batchBaseOffset, batchErrorCode } = cluster.commit(runs.map(runOf));
  return [...batchBaseOffset]
    .map((offset, at) => {
      const code = batchErrorCode[at] ?? 0;
      return code === 0 ? String(offset) : (NAMES.get(code) ?? String(code));
    })
    .join(' ');
}

describe('offsets', () => {
  it('follow the file’s order in each partition without gaps', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 3);
    expect(verdicts(cluster, ['0: +10 +5', '2: +1', '0: +2'])).toBe('0 10 0 15');
    expect(verdicts(cluster, ['2: +7', '0: +1'])).toBe('1 17');
  });

  it('skip unknown partitions and keep the rest of the file', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    const answer = cluster.commit([
      { topic: id(9), batches: [{ records: 4 }] },
      { topic: id(1), partition: 1, batches: [{ records: 4 }, { records: 1 }] },
      { topic: id(1), partition: 0, batches: [{ records: 4 }] },
    ]);
    expect([...answer.batchBaseOffset]).toEqual([-1, -1, -1, 0]);
    expect([...answer.batchErrorCode]).toEqual([100, 3, 3, 0]);
    expect([...answer.runLogStartOffset]).toEqual([-1, -1, 0]);
  });
});

describe('sequences of idempotent producers', () => {
  it.each<[string, string[], string[]]>([
    ['a producer that is not known may start anywhere', ['0: 1/0/77+3'], ['0']],
    ['in order', ['0: 1/0/0+3', '0: 1/0/3+2 1/0/5+1'], ['0', '3 5']],
    ['a gap is out of order', ['0: 1/0/0+3', '0: 1/0/4+1'], ['0', 'OUT_OF_ORDER_SEQUENCE_NUMBER']],
    ['a repeated batch gets its first offset', ['0: 1/0/0+3', '0: 1/0/3+2', '0: 1/0/0+3'], ['0', '3', '0']],
    ['a repeat within one file too', ['0: 1/0/0+3 1/0/0+3 1/0/3+1'], ['0 0 3']],
    [
      'the same start with another length is no repeat',
      ['0: 1/0/0+3', '0: 1/0/0+2'],
      ['0', 'OUT_OF_ORDER_SEQUENCE_NUMBER'],
    ],
    [
      'five batches are remembered, the sixth is forgotten',
      ['0: 1/0/0+1 1/0/1+1 1/0/2+1 1/0/3+1 1/0/4+1 1/0/5+1', '0: 1/0/1+1', '0: 1/0/0+1'],
      ['0 1 2 3 4 5', '1', 'OUT_OF_ORDER_SEQUENCE_NUMBER'],
    ],
    ['an older epoch is fenced', ['0: 1/4/0+1', '0: 1/3/1+1'], ['0', 'INVALID_PRODUCER_EPOCH']],
    ['a new epoch starts at 0', ['0: 1/0/0+1', '0: 1/1/1+1', '0: 1/1/0+1'], ['0', 'OUT_OF_ORDER_SEQUENCE_NUMBER', '1']],
    ['a new epoch forgets the batches of the old one', ['0: 1/0/0+1', '0: 1/1/0+1', '0: 1/1/0+1'], ['0', '1', '1']],
    ['sequences wrap after 2^31 - 1', ['0: 1/0/2147483646+2', '0: 1/0/0+1'], ['0', '2']],
    ['and in the middle of a batch', ['0: 1/0/2147483646+4', '0: 1/0/2+1', '0: 1/0/2147483646+4'], ['0', '4', '0']],
    ['partitions are judged apart', ['0: 1/0/0+1', '1: 1/0/0+1 1/0/1+1', '0: 1/0/1+1'], ['0', '0 1', '1']],
    ['producers are judged apart', ['0: 1/0/0+1 2/0/0+1', '0: 2/0/1+1 1/0/1+1'], ['0 1', '2 3']],
    ['plain batches pass between', ['0: 1/0/0+1 +9 1/0/1+1'], ['0 1 10']],
    ['a producer id without sequence is out of order', ['0: 1/0/-1+1'], ['OUT_OF_ORDER_SEQUENCE_NUMBER']],
  ])('%s', (_rule, files, expected) => {
    const cluster = new TestCluster();
    cluster.topic(1, 2);
    expect(files.map((file) => verdicts(cluster, [file]))).toEqual(expected);
  });

  describe('a new producer must start at 0', () => {
    function clusterOfLevel2(): TestCluster {
      const cluster = new TestCluster();
      return cluster;
    }
    const grant = (cluster: TestCluster, request: number): number =>
      cluster.do({ kind: 'init-producer-id', producerId: -1, producerEpoch: -1, requestId: id(request) }).producerId;

    it('so that a batch after a lost one is not taken for its first', () => {
      const cluster = clusterOfLevel2();
      cluster.topic(1, 2);
      const producer = grant(cluster, 1);
      expect(verdicts(cluster, [`0: ${producer}/0/5+1`])).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER');
      expect(verdicts(cluster, [`0: ${producer}/0/0+5 ${producer}/0/5+1`])).toBe('0 5');
      expect(verdicts(cluster, [`1: ${producer}/0/5+1`])).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER');
      expect(verdicts(cluster, [`1: ${producer}/1/0+1`])).toBe('0');
    });

    it('but one whose state may have expired may continue', () => {
      const cluster = clusterOfLevel2();
      cluster.topic(1, 1);
      const old = grant(cluster, 1);
      cluster.nowMs += PRODUCER_EXPIRATION_MS;
      const young = grant(cluster, 2);
      expect(verdicts(cluster, [`0: ${old}/0/5+1 ${young}/0/5+1`])).toBe('0 OUT_OF_ORDER_SEQUENCE_NUMBER');
    });

    // One of the same name.
    it('but one that may have written to an older topic may continue', () => {
      const cluster = clusterOfLevel2();
      const producer = grant(cluster, 1);
      cluster.topic(1, 1);
      expect(verdicts(cluster, [`0: ${producer}/0/5+1`])).toBe('0');
    });

    it('but one whose id predates this history may continue', () => {
      const cluster = clusterOfLevel2();
      cluster.topic(1, 1);
      const producer = grant(cluster, 1);
      expect(verdicts(cluster, [`0: ${producer + 1}/0/5+1`])).toBe('0');
    });

    it('also after a snapshot, and after the clock was set back', () => {
      const cluster = clusterOfLevel2();
      cluster.topic(1, 1);
      const producer = grant(cluster, 1);
      cluster.state = decodeSnapshot(encodeSnapshot(cluster.state));
      cluster.nowMs -= 2 * PRODUCER_EXPIRATION_MS;
      cluster.do({ kind: 'set-clock-back', fromMs: START_MS });
      expect(verdicts(cluster, [`0: ${producer}/0/5+1`])).toBe('OUT_OF_ORDER_SEQUENCE_NUMBER');
      cluster.nowMs += PRODUCER_EXPIRATION_MS;
      expect(verdicts(cluster, [`0: ${producer}/0/5+1`])).toBe('0');
    });

    it('is checked with bounded memory, however many ids are granted', () => {
      const cluster = clusterOfLevel2();
      for (let request = 0; request < 2_000; request += 1) {
        grant(cluster, request);
        cluster.nowMs += 300_000;
      }
      expect(cluster.state.producerIdMarks.length).toBeLessThanOrEqual(145);
    });
  });

  it('are forgotten after a day without a batch, as in Kafka', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1, 't', { 'retention.ms': '-1' });
    verdicts(cluster, ['0: 1/0/0+1']);
    cluster.nowMs += 86_400_000;
    expect(cluster.expire().changed).toBe(true);
    expect(verdicts(cluster, ['0: 1/0/0+1'])).toBe('1');
  });
});

describe('the index', () => {
  // No run may hold bytes without an offset.
  it('splits runs around refused and duplicate batches', () => {
    const cluster = new TestCluster();
    const topicId = cluster.topic(1, 1);
    verdicts(cluster, ['0: 1/0/0+1']);
    expect(verdicts(cluster, ['0: 1/0/1+2 1/0/0+1 1/0/3+3 1/0/9+1 1/0/6+1'])).toBe(
      '1 0 3 OUT_OF_ORDER_SEQUENCE_NUMBER 6',
    );
    const [located] = locate(cluster.state, [{ topicId, partition: 0, offset: 1, maxBytes: 1_000 }]);
    expect(
      located?.runs.map(({ baseOffset, records, position, bytes }) => [baseOffset, records, position, bytes]),
    ).toEqual([
      [1, 2, 0, 100],
      [3, 3, 200, 100],
      [6, 1, 400, 100],
    ]);
  });

  it('sends watchers the same runs', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 2);
    const command = commitOf(cluster.newFileId(), [
      {
        partition: 1,
        batches: [
          { records: 2, bytes: 70, timestampMs: 5 },
          { records: 3, bytes: 80, timestampMs: 4 },
        ],
      },
    ]);
    const { appended } = cluster.outcome(command).effects;
    expect(appended?.count).toBe(1);
    expect([appended?.partition[0], appended?.position[0], appended?.bytes[0]]).toEqual([1, 0, 150]);
    expect([appended?.baseOffset[0], appended?.records[0], appended?.highWatermark[0]]).toEqual([0, 5, 5]);
    expect([appended?.maxTimestampMs[0], appended?.logStartOffset[0]]).toEqual([5, 0]);
  });
});

describe('a retry', () => {
  it('with the same file id repeats its answer, changing nothing', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    const command = commitOf(cluster.newFileId(), [{ batches: [{ records: 3 }, { records: 1, producer: [1, 0, 5] }] }]);
    const first = cluster.outcome(command);
    cluster.commit([{ batches: [{ records: 9 }] }]);
    cluster.nowMs += 14 * 60_000;
    const second = cluster.outcome(command);
    expect(first.changed).toBe(true);
    expect(second.changed).toBe(false);
    expect(second.answer).toEqual(first.answer);
  });

  // Even if a clock goes back: an id is never applied twice.
  it('is refused once its answer is forgotten', () => {
    const cluster = new TestCluster();
    const topicId = cluster.topic(1, 1);
    const command = commitOf(cluster.newFileId(), [{ batches: [{ records: 3 }] }]);
    cluster.do(command);
    cluster.nowMs += 60 * 60_000;
    cluster.expire();
    cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset: -1 }] });
    cluster.nowMs += 60_000;
    cluster.do({ kind: 'confirm-deletions', fileIds: [command.fileId] });
    cluster.nowMs = START_MS + 1_000;
    expect(cluster.do(command).errorCode).toBe(ErrorCode.INVALID_REQUEST);
  });

  it('with other runs under a known id is refused', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    const file = cluster.newFileId();
    cluster.commit([{ batches: [{ records: 3 }] }], file);
    expect(cluster.commit([{ batches: [{ records: 3 }, { records: 1 }] }], file).errorCode).toBe(
      ErrorCode.INVALID_REQUEST,
    );
  });
});

describe('whole commits', () => {
  const good = commitOf(fileId(1, START_MS), [{ batches: [{ records: 1 }] }, { batches: [{ records: 2 }] }]);
  it.each<[string, Partial<CommitFile>]>([
    ['an id that is no UUIDv7', { fileId: id(5) }],
    ['an id of 15 bytes', { fileId: good.fileId.slice(1) }],
    ['an id older than 10 minutes', { fileId: fileId(1, START_MS - 600_001) }],
    ['an id more than 5 minutes ahead', { fileId: fileId(1, START_MS + 300_001) }],
    ['an empty file', { fileBytes: 0 }],
    ['runs beyond the end of the file', { fileBytes: 199 }],
    ['overlapping runs', { runPosition: Float64Array.of(0, 99) }],
    ['runs against the order of the file', { runPosition: Float64Array.of(100, 0) }],
    ['a topic beyond the list', { runTopic: Uint32Array.of(0, 1) }],
    ['a run column that is too short', { runPartition: Uint32Array.of(0) }],
    ['a batch column that is too short', { batchRecords: Uint32Array.of(1) }],
    [
      'producer columns that are too short',
      { producers: { id: new Float64Array(1), epoch: new Int32Array(2), baseSequence: new Int32Array(2) } },
    ],
    ['fewer batches than the runs say', { runBatches: Uint32Array.of(1, 2) }],
    ['more batches than the runs say', { runBatches: Uint32Array.of(1, 0) }],
    ['a batch shorter than its header', { batchBytes: Uint32Array.of(60, 100) }],
    ['a batch without records', { batchRecords: Uint32Array.of(0, 1) }],
    ['a timestamp that is not exact', { batchMaxTimestampMs: Float64Array.of(2 ** 60, 1) }],
    ['negative uncompressed bytes', { batchUncompressedBytes: Float64Array.of(-1, 1) }],
    ['a topic id that is too short', { topicIds: [new Uint8Array(3)] }],
  ])('are refused for %s without storing anything', (_why, change) => {
    const cluster = new TestCluster();
    const topicId = cluster.topic(1, 1);
    const outcome = cluster.outcome({ ...good, ...change });
    expect(outcome.changed).toBe(false);
    expect(outcome.answer.errorCode).toBe(ErrorCode.INVALID_REQUEST);
    expect(outcome.answer.errorMessage).not.toBe('');
    expect(partitionViews(cluster.state, topicId)).toEqual([{ logStartOffset: 0, highWatermark: 0, storedBytes: 0 }]);
    expect(clusterTotals(cluster.state).files).toBe(0);
  });
});

describe('the meter', () => {
  it('counts only accepted batches', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    cluster.commit([{ batches: [{ records: 3, bytes: 100, uncompressedBytes: 300, producer: [1, 0, 0] }] }]);
    cluster.commit([{ batches: [{ records: 3, bytes: 100, uncompressedBytes: 300, producer: [1, 0, 0] }] }]);
    cluster.commit([{ partition: 9, batches: [{ records: 3, uncompressedBytes: 300 }] }]);
    cluster.commit([{ batches: [{ records: 1, bytes: 70, uncompressedBytes: 71 }] }]);
    expect(clusterTotals(cluster.state)).toEqual({
      uncompressedBytes: 371n,
      storedBytes: 170n,
      records: 4n,
      files: 4,
      clusterMinutes: 0,
    });
  });

  it('queues a file without an accepted batch for deletion', () => {
    const cluster = new TestCluster();
    const file = cluster.newFileId();
    cluster.commit([{ topic: id(9), batches: [{ records: 1 }] }], file);
    expect(knownFiles(cluster.state, [file, id(3)])).toEqual([true, false]);
    cluster.nowMs += 60_000;
    expect(cluster.do({ kind: 'take-deletions', maxFiles: 10 }).fileIds).toEqual([file]);
  });
});

describe('what an agent may claim', () => {
  const GIB = 1024 ** 3;
  const MIB = 1024 ** 2;

  function clusterOfOne(): TestCluster {
    const cluster = new TestCluster();
    cluster.topic(1, 1);
    return cluster;
  }

  function claim(
    cluster: TestCluster,
    batches: readonly { bytes: number; records?: number; uncompressedBytes: number }[],
  ) {
    const answer = cluster.commit([{ batches: batches.map((batch) => ({ records: 1, ...batch })) }]);
    const codes = [...answer.batchErrorCode].map((code) => NAMES.get(code) ?? String(code));
    return { errorCode: answer.errorCode, codes, message: answer.errorMessage };
  }

  it.each([
    ['61 bytes that claim 8 GiB', [{ bytes: 61, uncompressedBytes: 8 * GIB }]],
    ['a hundred of them', Array(100).fill({ bytes: 61, uncompressedBytes: 8 * GIB })],
    ['a batch without bytes', [{ bytes: 0, uncompressedBytes: 61 }]],
    ['a megabyte that claims a header', [{ bytes: 1_000_000, uncompressedBytes: 61 }]],
    ['five bombs of a GiB each', Array(5).fill({ bytes: 33_000, uncompressedBytes: GIB })],
  ])('%s: the whole commit is refused without billing', (_, batches) => {
    const cluster = clusterOfOne();
    expect(claim(cluster, batches).errorCode).toBe(ErrorCode.INVALID_REQUEST);
    expect(clusterTotals(cluster.state)).toMatchObject({ uncompressedBytes: 0n, records: 0n });
  });

  it('refuses only the batch that claims more records than fit', () => {
    const cluster = clusterOfOne();
    const counted = (records: number) => ({ bytes: 100, records, uncompressedBytes: 61 + 7 * 5 });
    const { codes } = claim(cluster, [counted(2 ** 31 - 1), counted(5), counted(6)]);
    expect(codes).toEqual(['INVALID_RECORD', 'NONE', 'INVALID_RECORD']);
    expect(cluster.state.topics.get(idKey(id(1)))?.partitions[0]?.highWatermark).toBe(5);
  });

  it.each<[string, number | undefined, number]>([
    ['the default of the cluster', 64 * MIB, 64 * MIB],
    ['1 GiB until one is set', undefined, GIB],
  ])('limits a batch without its header to %s', (_, bytes, most) => {
    const cluster = clusterOfOne();
    if (bytes !== undefined) {
      expect(cluster.do({ kind: 'set-max-uncompressed-batch-bytes', bytes }).errorCode).toBe(ErrorCode.NONE);
    }
    const batch = (content: number) => ({ bytes: 2_000_000, uncompressedBytes: 61 + content });
    expect(claim(cluster, [batch(most), batch(most + 1)]).codes).toEqual(['NONE', 'MESSAGE_TOO_LARGE']);
    const restored = decodeSnapshot(encodeSnapshot(cluster.state));
    expect(restored.settings.maxUncompressedBatchBytes).toBe(most);
  });

  // Batches that compression did not make smaller are exempt.
  it('applies a topic’s own limit only to batches that shrank', () => {
    const cluster = clusterOfOne();
    const ops = [{ kind: 'set' as const, name: 'max.uncompressed.batch.bytes', value: '100000' }];
    cluster.do({ kind: 'alter-configs', topics: [{ name: 'topic-1', ops }], validateOnly: false });
    const batches = [
      { bytes: 5_000, uncompressedBytes: 61 + 100_000 },
      { bytes: 5_000, uncompressedBytes: 61 + 100_001 },
      { bytes: 200_000, uncompressedBytes: 200_000 },
    ];
    expect(claim(cluster, batches).codes).toEqual(['NONE', 'MESSAGE_TOO_LARGE', 'NONE']);
  });

  it('has batches of at most 32,768 partitions', () => {
    const cluster = new TestCluster();
    cluster.topic(1, 32_769);
    const commit = (count: number) =>
      cluster.do(
        commitOf(
          cluster.newFileId(),
          Array.from({ length: count }, (_, partition) => ({ partition, batches: [{ records: 1 }] })),
        ),
      );
    expect(commit(32_769)).toMatchObject({
      errorCode: 42,
      errorMessage: expect.stringContaining('32769 partitions, and a commit may have 32768. Upgrade the agent'),
    });
    expect(commit(32_768).errorCode).toBe(0);
  });
});
