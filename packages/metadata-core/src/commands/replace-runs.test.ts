import { beforeEach, describe, expect, it } from 'vitest';
import { meterOf } from '../codec/entry-meter.ts';
import { captureSnapshot } from '../codec/snapshot-capture.ts';
import type { ReplaceRuns } from '../model/data.types.ts';
import { type Id, idKey } from '../model/ids.ts';
import { DELETION_GRACE_MS, FILE_ID_MAX_AGE_MS } from '../model/limits.ts';
import type { Partition } from '../state/partition.types.ts';
import { fileId, id, START_MS, TestCluster } from '../testing/cluster.ts';
import { brokenInvariants } from '../testing/invariants.ts';

interface Target {
  topic?: Id;
  partition?: number;
  base: number;
  end: number;
  bytes: number;
}

let cluster: TestCluster;
let topic: Id;
let sources: Id[];

beforeEach(() => {
  cluster = new TestCluster();
  topic = cluster.topic(1, 2);
  // Three files, each with ten records in partition 0 and one in partition 1.
  sources = [0, 1, 2].map((at) => {
    cluster.nowMs = START_MS + at;
    const file = cluster.newFileId();
    cluster.commit(
      [
        { partition: 0, batches: [{ records: 10, bytes: 100, timestampMs: START_MS - at }] },
        { partition: 1, batches: [{ records: 1, bytes: 70 }] },
      ],
      file,
    );
    return file;
  });
});

function merged(targets: readonly Target[], over: Partial<ReplaceRuns> = {}): ReplaceRuns {
  const topicIds = [...new Map(targets.map(({ topic: of = topic }) => [idKey(of), of])).values()];
  let position = 0;
  const positions = targets.map(({ bytes }) => {
    position += bytes;
    return position - bytes;
  });
  return {
    kind: 'replace-runs',
    fileId: fileId(900, cluster.nowMs),
    fileBytes: position,
    level: 1,
    sourceFileIds: sources,
    topicIds,
    targetTopic: Uint32Array.from(targets, ({ topic: of = topic }) => topicIds.indexOf(of)),
    targetPartition: Uint32Array.from(targets, ({ partition = 0 }) => partition),
    targetBaseOffset: Float64Array.from(targets, ({ base }) => base),
    targetEndOffset: Float64Array.from(targets, ({ end }) => end),
    targetPosition: Float64Array.from(positions),
    targetBytes: Float64Array.from(targets, ({ bytes }) => bytes),
    compaction: null,
    ...over,
  };
}

const BOTH: readonly Target[] = [
  { partition: 0, base: 0, end: 30, bytes: 300 },
  { partition: 1, base: 0, end: 3, bytes: 210 },
];

function partition(number: number): Partition {
  const found = cluster.state.topics.get(idKey(topic))?.partitions[number];
  if (found === undefined) {
    throw new Error('the topic has two partitions');
  }
  return found;
}

function rowsOf(number: number) {
  const { runs } = partition(number);
  return Array.from({ length: runs?.length ?? 0 }, (_, row) => ({
    base: runs?.baseOffset(row),
    file: idKey(cluster.state.files.id(runs?.file(row) ?? 0)),
    position: runs?.position(row),
    bytes: runs?.bytes(row),
  }));
}

function bytesOfState(): string {
  const capture = captureSnapshot(cluster.state);
  let text = '';
  for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
    text += Buffer.from(part).toString('hex');
  }
  return text;
}

/** Asserts that the command was refused with this outcome and that nothing has changed. */
function expectRefused(command: ReplaceRuns, outcome: 'stale' | 'invalid', reason: RegExp): void {
  const before = bytesOfState();
  const result = cluster.outcome(command);
  expect(result).toMatchObject({ changed: false, answer: { outcome }, effects: {} });
  expect(result.answer.reason).toMatch(reason);
  expect(bytesOfState()).toBe(before);
}

describe('replace-runs', () => {
  it('merges many runs into one, keeping offsets and totals', () => {
    const { totals } = cluster.state;
    const before = { ...totals, stored: partition(0).storedBytes };
    const { answer, effects } = cluster.outcome(merged(BOTH));
    expect(answer).toEqual({ outcome: 'applied', reason: '' });
    expect(effects).toEqual({
      replaced: {
        fileId: fileId(900, cluster.nowMs),
        level: 1,
        isCompacted: false,
        committedAtMs: START_MS + 2,
        bytes: 510,
        replacedBytes: 510,
        replacedRuns: 6,
        newRuns: 2,
        meteredBytes: 0,
      },
    });
    const file = idKey(fileId(900, cluster.nowMs));
    expect(rowsOf(0)).toEqual([{ base: 0, file, position: 0, bytes: 300 }]);
    expect(rowsOf(1)).toEqual([{ base: 0, file, position: 300, bytes: 210 }]);
    expect(partition(0).runs?.maxTimestampMs(0)).toBe(START_MS);
    expect({ ...totals, stored: partition(0).storedBytes }).toEqual(before);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('keeps replaced objects until their readers have finished', () => {
    cluster.do(merged(BOTH));
    cluster.nowMs += DELETION_GRACE_MS - 1;
    expect(cluster.do({ kind: 'take-deletions', maxFiles: 10 }).fileIds).toEqual([]);
    cluster.nowMs += 1;
    expect(cluster.do({ kind: 'take-deletions', maxFiles: 10 }).fileIds.map(idKey)).toEqual(sources.map(idKey));
  });

  it('keeps the rows around it, and those of new commits', () => {
    cluster.commit([{ partition: 0, batches: [{ records: 5 }] }]);
    cluster.do(merged([{ base: 10, end: 30, bytes: 200 }]));
    expect(rowsOf(0).map(({ base }) => base)).toEqual([0, 10, 30]);
    expect(rowsOf(1)).toHaveLength(3);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('repeats its answer to a repeated command, changing nothing', () => {
    const command = merged(BOTH);
    cluster.do(command);
    const before = bytesOfState();
    expect(cluster.outcome(command)).toEqual({
      changed: false,
      answer: { outcome: 'applied', reason: '' },
      effects: {},
    });
    expect(bytesOfState()).toBe(before);
  });

  it('omits a front that was truncated in the meantime', () => {
    cluster.do({ kind: 'delete-records', partitions: [{ topicId: topic, partition: 0, beforeOffset: 14 }] });
    cluster.do(merged(BOTH));
    expect(rowsOf(0)).toMatchObject([{ base: 10, position: 100, bytes: 200 }]);
    expect(partition(0).storedBytes).toBe(200);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('omits truncated runs and deleted partitions', () => {
    const other = cluster.topic(2, 1);
    const file = cluster.newFileId();
    cluster.commit([{ topic: other, batches: [{ records: 1, bytes: 90 }] }], file);
    sources.push(file);
    const command = merged([...BOTH, { topic: other, base: 0, end: 1, bytes: 90 }]);
    cluster.do({ kind: 'delete-topics', names: [], topicIds: [other] });
    cluster.do({ kind: 'delete-records', partitions: [{ topicId: topic, partition: 0, beforeOffset: -1 }] });
    expect(cluster.do(command).outcome).toBe('applied');
    expect(rowsOf(0)).toEqual([]);
    expect(rowsOf(1)).toMatchObject([{ base: 0, position: 300, bytes: 210 }]);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('is refused when nothing is left of its runs', () => {
    const command = merged(BOTH);
    cluster.do({ kind: 'delete-topics', names: [], topicIds: [topic] });
    expectRefused(command, 'stale', /Nothing is left/);
  });

  it('is refused as a whole when one run has moved to another file', () => {
    cluster.do(merged([{ partition: 1, base: 1, end: 3, bytes: 140 }], { fileId: fileId(901, cluster.nowMs) }));
    expectRefused(
      merged(BOTH),
      'stale',
      /topic-1-1 has changed between the offsets 0 and 3: a run lies in another file/,
    );
  });

  it.each([
    ['begins within a run', { base: 5, end: 30, bytes: 300 }, /no run begins/],
    ['ends within a run', { base: 0, end: 25, bytes: 300 }, /no run ends/],
    ['reaches beyond the log', { base: 0, end: 31, bytes: 300 }, /the log ends/],
    ['has lost a byte', { base: 0, end: 30, bytes: 299 }, /another length/],
    ['has a byte too many', { base: 0, end: 30, bytes: 301 }, /another length/],
  ])('is refused when its run %s', (_, target, reason) => {
    expectRefused(merged([target]), 'stale', reason);
  });

  it.each<[string, Partial<ReplaceRuns>, RegExp]>([
    ['a level that merged files do not have', { level: 0 }, /level 1 or 2/],
    ['an id that is too old', { fileId: fileId(900, START_MS - FILE_ID_MAX_AGE_MS) }, /older than 10 minutes/],
    ['an id from the future', { fileId: fileId(900, START_MS + 3_600_000) }, /in the future/],
    ['an id that is no UUIDv7', { fileId: id(900) }, /UUIDv7/],
    ['no sources', { sourceFileIds: [] }, /made of 1 to/],
    ['columns of different lengths', { targetBytes: Float64Array.of(300) }, /differ in length/],
    ['runs that overlap in the file', { targetPosition: Float64Array.of(0, 299) }, /follow each other within the file/],
    ['runs beyond its end', { fileBytes: 509 }, /beyond the end/],
    ['a topic that it does not list', { targetTopic: Uint32Array.of(0, 1) }, /not listed/],
    ['a topic that it lists twice', { topicIds: [id(1), id(1)] }, /listed twice/],
    ['the same offsets twice', { targetPartition: Uint32Array.of(0, 0) }, /follow each other by offset/],
    ['a run without records', { targetEndOffset: Float64Array.of(0, 3) }, /1 to 4294967295 records/],
  ])('refuses %s', (_, over, reason) => {
    expectRefused(merged(BOTH, over), 'invalid', reason);
  });

  it('refuses the id of a file that an agent has committed', () => {
    expectRefused(merged(BOTH, { fileId: sources[1] ?? id(0) }), 'invalid', /names another file/);
  });
});

function setPolicy(value: string): void {
  const ops = [{ kind: 'set' as const, name: 'cleanup.policy', value }];
  cluster.do({ kind: 'alter-configs', topics: [{ name: 'topic-1', ops }], validateOnly: false });
}

describe('replace-runs of compacted runs', () => {
  beforeEach(() => setPolicy('compact'));

  /** Compacts these targets to half of their bytes. */
  function compacted(targets: readonly Target[], over: Partial<ReplaceRuns> = {}): ReplaceRuns {
    const command = merged(targets, { level: 2, ...over });
    const targetBytes = command.targetBytes.map((bytes) => bytes / 2);
    return {
      ...command,
      targetBytes,
      compaction: { targetSourceBytes: command.targetBytes, targetMaxTimestampMs: null, targetDeleteHorizonMs: null },
    };
  }
  const WHOLE: readonly Target[] = [{ base: 0, end: 30, bytes: 300 }];

  it('keep offsets, take the new size and advance the clean mark', () => {
    const totals = { ...cluster.state.totals };
    const { answer, effects } = cluster.outcome(compacted(WHOLE));
    expect(answer.outcome).toBe('applied');
    expect(effects.replaced).toMatchObject({ isCompacted: true, bytes: 150, replacedBytes: 300, newRuns: 1 });
    expect(rowsOf(0)).toMatchObject([{ base: 0, position: 0, bytes: 150 }]);
    expect(partition(0)).toMatchObject({ cleanedOffset: 30, highWatermark: 30, storedBytes: 150 });
    expect(partition(1).cleanedOffset).toBe(0);
    expect(cluster.state.totals).toEqual(totals);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('may follow each other in one file, and omit what comes after', () => {
    const inTwo = compacted([
      { base: 0, end: 10, bytes: 100 },
      { base: 10, end: 20, bytes: 100 },
    ]);
    expect(cluster.do(inTwo).outcome).toBe('applied');
    expect(rowsOf(0).map(({ base }) => base)).toEqual([0, 10, 20]);
    expect(partition(0)).toMatchObject({ cleanedOffset: 20, storedBytes: 200 });
  });

  it('that were already clean do not move the mark back', () => {
    cluster.do(compacted([{ base: 0, end: 20, bytes: 200 }]));
    const [first] = rowsOf(0);
    const again = compacted([{ base: 0, end: 20, bytes: first?.bytes ?? 0 }], {
      fileId: fileId(901, cluster.nowMs),
      sourceFileIds: [fileId(900, cluster.nowMs)],
    });
    expect(cluster.do(again).outcome).toBe('applied');
    expect(partition(0).cleanedOffset).toBe(20);
  });

  it('are refused when records before them were never compacted', () => {
    expectRefused(compacted([{ base: 10, end: 30, bytes: 200 }]), 'stale', /only what lies before 0 is compacted/);
  });

  it('are refused when the bytes of their source runs differ', () => {
    const command = compacted(WHOLE);
    const compaction = {
      targetSourceBytes: Float64Array.of(299),
      targetMaxTimestampMs: null,
      targetDeleteHorizonMs: null,
    };
    expectRefused({ ...command, compaction }, 'stale', /another length/);
  });

  // Their records cannot be located by position.
  it('keep their base offset when the front was truncated', () => {
    cluster.do({ kind: 'delete-records', partitions: [{ topicId: topic, partition: 0, beforeOffset: 14 }] });
    expect(cluster.do(compacted(WHOLE)).outcome).toBe('applied');
    expect(rowsOf(0)).toMatchObject([{ base: 0, position: 0, bytes: 150 }]);
    expect(partition(0)).toMatchObject({ logStartOffset: 14, cleanedOffset: 30, storedBytes: 150 });
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('are clean from the log start once earlier runs are truncated', () => {
    cluster.do({ kind: 'delete-records', partitions: [{ topicId: topic, partition: 0, beforeOffset: 10 }] });
    expect(cluster.do(compacted([{ base: 10, end: 30, bytes: 200 }])).outcome).toBe('applied');
    expect(partition(0).cleanedOffset).toBe(30);
  });

  it.each([
    ['that the agent tells', START_MS - 2, START_MS - 2],
    ['of the replaced runs when the agent tells a later one', START_MS + 9, START_MS],
    ['that is none when no record is left', -1, -1],
  ])('have the largest timestamp %s', (_, told, kept) => {
    const command = compacted(WHOLE);
    const targetMaxTimestampMs = Float64Array.of(told);
    cluster.do({
      ...command,
      compaction: { targetSourceBytes: Float64Array.of(300), targetMaxTimestampMs, targetDeleteHorizonMs: null },
    });
    expect(partition(0).runs?.maxTimestampMs(0)).toBe(kept);
  });

  it.each<[string, Partial<ReplaceRuns>, RegExp]>([
    ['level 1', { level: 1 }, /has level 2/],
    [
      'columns of different lengths',
      {
        compaction: {
          targetSourceBytes: Float64Array.of(300, 1),
          targetMaxTimestampMs: null,
          targetDeleteHorizonMs: null,
        },
      },
      /differ in length/,
    ],
    [
      'timestamps that are no integers',
      {
        compaction: {
          targetSourceBytes: Float64Array.of(300),
          targetMaxTimestampMs: Float64Array.of(0.5),
          targetDeleteHorizonMs: null,
        },
      },
      /53 bits/,
    ],
  ])('are refused with %s', (_, over, reason) => {
    expectRefused({ ...compacted(WHOLE), ...over }, 'invalid', reason);
  });

  it('record when the first remaining tombstone may be removed', () => {
    const horizons = (...times: number[]) => ({
      targetDeleteHorizonMs: Float64Array.from(times, (ms) => (ms === 0 ? 0 : START_MS + ms)),
    });
    const parts = [
      { base: 0, end: 10, bytes: 100 },
      { base: 10, end: 20, bytes: 100 },
    ];
    const first = compacted(parts);
    cluster.do({ ...first, compaction: first.compaction && { ...first.compaction, ...horizons(0, 700) } });
    expect(partition(0).deleteHorizonMs).toBe(START_MS + 700);
    const own = { sourceFileIds: [fileId(900, cluster.nowMs), ...sources] };
    const second = compacted([{ base: 20, end: 30, bytes: 100 }], { ...own, fileId: fileId(901, cluster.nowMs) });
    cluster.do({ ...second, compaction: second.compaction && { ...second.compaction, ...horizons(500) } });
    expect(partition(0).deleteHorizonMs).toBe(START_MS + 500);
    const third = compacted([{ base: 0, end: 10, bytes: 50 }], { ...own, fileId: fileId(902, cluster.nowMs) });
    cluster.do({ ...third, compaction: third.compaction && { ...third.compaction, ...horizons(900) } });
    expect(partition(0).deleteHorizonMs).toBe(START_MS + 900);
  });
});

describe('the size of a merged file', () => {
  const compactionOf = (sourceBytes: number): ReplaceRuns['compaction'] => ({
    targetSourceBytes: Float64Array.of(sourceBytes),
    targetMaxTimestampMs: null,
    targetDeleteHorizonMs: null,
  });
  const compacted = (bytes: number, over: Partial<ReplaceRuns> = {}): ReplaceRuns =>
    merged([{ base: 0, end: 30, bytes }], { level: 2, compaction: compactionOf(300), ...over });

  beforeEach(() => setPolicy('compact'));

  it('does not let a stub become an object of any size', () => {
    expect(cluster.do(compacted(5_100_000))).toMatchObject({
      outcome: 'invalid',
      reason: expect.stringMatching(/it may have at most 912/),
    });
    expect(cluster.do(compacted(913))).toMatchObject({ outcome: 'invalid' });
    expect(rowsOf(0)).toHaveLength(3);
  });

  it('lets only compacted topics be compacted', () => {
    setPolicy('delete');
    expect(cluster.do(compacted(100))).toMatchObject({
      outcome: 'stale',
      reason: expect.stringMatching(/not compacted/),
    });
    expect(rowsOf(0)).toHaveLength(3);
    setPolicy('compact,delete');
    expect(cluster.do(compacted(100))).toMatchObject({ outcome: 'applied' });
  });

  it('bounds what may follow the runs in the file', () => {
    expect(cluster.do(merged(BOTH, { fileBytes: 100_000 }))).toMatchObject({
      outcome: 'invalid',
      reason: expect.stringMatching(/with its index/),
    });
    expect(cluster.do(merged(BOTH, { fileBytes: 510 + 2_000 }))).toMatchObject({ outcome: 'applied' });
  });

  it.each([
    [100, 0],
    [300, 0],
    [301, 1],
    [912, 612],
  ])('meters bytes that a compacted run of %d adds as writes', (bytes, meteredBytes) => {
    const before = cluster.state.totals.uncompressedBytes;
    const { answer, effects } = cluster.outcome(compacted(bytes));
    expect(answer.outcome).toBe('applied');
    expect(meterOf([effects])).toEqual({ ...meterOf([]), uncompressedBytes: meteredBytes });
    expect(cluster.state.totals.uncompressedBytes - before).toBe(BigInt(meteredBytes));
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });
});
