import { DAY_MS } from '@penstock/units';
import { describe, expect, it } from 'vitest';
import { fileCounts, knownFiles, partitionViews } from '../queries/cluster.ts';
import { listOffsets } from '../queries/list-offsets.ts';
import { locate, partitionBounds } from '../queries/locate.ts';
import { id, START_MS, TestCluster } from '../testing/cluster.ts';

/** A partition with one run of 10 records and 100 bytes per timestamp, each in its own file. */
function filled(timestamps: readonly number[], configs: Record<string, string> = {}) {
  const cluster = new TestCluster();
  const topicId = cluster.topic(1, 1, 't', configs);
  const files = timestamps.map((timestampMs) => {
    const file = cluster.newFileId();
    cluster.commit([{ batches: [{ records: 10, timestampMs }] }], file);
    return file;
  });
  return { cluster, topicId, files };
}

describe('Locate', () => {
  it.each<[string, number, number, number, number[]]>([
    ['the first record', 0, 1, 0, [0]],
    ['the middle of a run', 15, 1, 0, [10]],
    ['the last record', 39, 1_000, 0, [30]],
    ['enough runs for the bytes asked for', 5, 250, 0, [0, 10, 20]],
    ['at least one run', 20, 0, 0, [20]],
    ['the high watermark: nothing, without error', 40, 100, 0, []],
    ['beyond the high watermark', 41, 100, 1, []],
    ['before the log start', -1, 100, 1, []],
  ])('%s', (_what, offset, maxBytes, errorCode, baseOffsets) => {
    const { cluster, topicId } = filled([1, 2, 3, 4]);
    const [located] = locate(cluster.state, [{ topicId, partition: 0, offset, maxBytes }]);
    expect(located).toMatchObject({ errorCode, logStartOffset: 0, highWatermark: 40 });
    expect(located?.runs.map(({ baseOffset }) => baseOffset)).toEqual(baseOffsets);
  });

  it('returns the file, the bytes and the records of a run', () => {
    const { cluster, topicId, files } = filled([7]);
    const [located] = locate(cluster.state, [{ topicId, partition: 0, offset: 3, maxBytes: 1 }]);
    expect(located?.runs).toEqual([
      {
        fileId: files[0],
        position: 0,
        bytes: 100,
        baseOffset: 0,
        records: 10,
        maxTimestampMs: 7,
        fileBytes: 100,
        marker: null,
      },
    ]);
  });

  it('distinguishes an unknown topic from an unknown partition', () => {
    const { cluster, topicId } = filled([1]);
    const cursor = { partition: 0, offset: 0, maxBytes: 1 };
    const located = locate(cluster.state, [
      { ...cursor, topicId: id(9) },
      { ...cursor, topicId, partition: 1 },
    ]);
    expect(located.map(({ errorCode }) => errorCode)).toEqual([100, 3]);
  });
});

describe('ListOffsets', () => {
  it.each<[string, number, number, number, number | null]>([
    ['latest', -1, 40, -1, null],
    ['earliest', -2, 0, -1, null],
    ['earliest local', -4, 0, -1, null],
    ['the first run at or after a time', 200, 20, 500, 20],
    ['exactly a time', 100, 0, 100, 0],
    ['a time before all', 0, 0, 100, 0],
    ['a time after all', 501, -1, -1, null],
    ['the run of the largest timestamp', -3, 20, 500, 20],
    ['tiered storage, which there is none of', -5, -1, -1, null],
  ])('%s', (_what, timestampMs, offset, foundMs, runBase) => {
    // Deliberately out of order: producers set timestamps.
    const { cluster, topicId } = filled([100, 50, 500, 300]);
    const [answer] = listOffsets(cluster.state, [{ topicId, partition: 0, timestampMs, fromOffset: 0 }]);
    expect(answer).toMatchObject({ errorCode: 0, offset, timestampMs: foundMs });
    expect(answer?.run?.baseOffset ?? null).toBe(runBase);
  });

  it('finds timestamps after the run with the largest is removed', () => {
    const { cluster, topicId } = filled([900, 100, 300, 200]);
    cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset: 10 }] });
    const query = (timestampMs: number) =>
      listOffsets(cluster.state, [{ topicId, partition: 0, timestampMs, fromOffset: 0 }])[0];
    expect(query(150)?.run?.baseOffset).toBe(20);
    expect(query(301)).toMatchObject({ offset: -1, run: null });
    expect(query(-3)?.run?.baseOffset).toBe(20);
    cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset: -1 }] });
    expect(query(-3)).toMatchObject({ offset: -1, timestampMs: -1, run: null });
  });
});

describe('ListOffsets retried past a truncated run', () => {
  it.each<[string, number, number, number, number, number | null]>([
    ['the next run at or after a time', 80, 10, 20, 500, 20],
    ['not a run before it, though its time fits', 100, 10, 20, 500, 20],
    ['the rest of the run that holds the offset', 50, 15, 15, 50, 10],
    ['a time that only earlier runs have', 501, 10, -1, -1, null],
    ['the largest timestamp of the rest', -3, 30, 30, 300, 30],
    ['nothing behind the end', 0, 40, -1, -1, null],
  ])('%s', (_what, timestampMs, fromOffset, offset, foundMs, runBase) => {
    const { cluster, topicId } = filled([100, 50, 500, 300]);
    const [answer] = listOffsets(cluster.state, [{ topicId, partition: 0, timestampMs, fromOffset }]);
    expect(answer).toMatchObject({ errorCode: 0, offset, timestampMs: foundMs });
    expect(answer?.run?.baseOffset ?? null).toBe(runBase);
  });
});

describe('DeleteRecords', () => {
  it.each<[string, number, number, number, number]>([
    ['to the start of a run', 20, 0, 20, 2],
    ['into a run, which stays', 25, 0, 25, 2],
    ['everything, by -1', -1, 0, 40, 0],
    ['nothing, when it is already gone', 0, 0, 0, 4],
    ['beyond the high watermark', 41, 1, 0, 4],
    ['to a negative offset', -2, 1, 0, 4],
  ])('%s', (_what, beforeOffset, errorCode, logStartOffset, runsLeft) => {
    const { cluster, topicId } = filled([1, 2, 3, 4]);
    const outcome = cluster.outcome({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset }] });
    expect(outcome.answer.states).toEqual([{ errorCode, logStartOffset, highWatermark: 40, lastStableOffset: 40 }]);
    expect(outcome.changed).toBe(logStartOffset > 0);
    expect(outcome.effects.truncated?.length ?? 0).toBe(logStartOffset > 0 ? 1 : 0);
    expect(partitionViews(cluster.state, topicId)[0]?.storedBytes).toBe(runsLeft * 100);
    expect(fileCounts(cluster.state)).toEqual({ known: 4, dead: 4 - runsLeft });
  });

  it('continues numbering: offsets are never reused', () => {
    const { cluster, topicId } = filled([1, 2]);
    cluster.do({ kind: 'delete-records', partitions: [{ topicId, partition: 0, beforeOffset: -1 }] });
    expect([...cluster.commit([{ batches: [{ records: 1 }] }]).batchBaseOffset]).toEqual([20]);
    expect(partitionBounds(cluster.state, topicId, 0)).toMatchObject({ logStartOffset: 20, highWatermark: 21 });
  });
});

describe('retention', () => {
  const age = (ms: number): number => START_MS - ms;
  it.each<[string, Record<string, string>, number[], number]>([
    ['drops runs older than retention.ms', { 'retention.ms': '1000' }, [age(1_001), age(1_001), age(999), age(0)], 20],
    ['keeps a run of exactly that age', { 'retention.ms': '1000' }, [age(1_000)], 0],
    ['goes from the front only', { 'retention.ms': '1000' }, [age(5), age(9_999)], 0],
    ['keeps all when unlimited', { 'retention.ms': '-1' }, [1, 2], 0],
    ['keeps 7 days by default', {}, [age(7 * DAY_MS + 1), age(7 * DAY_MS)], 10],
    ['drops what is beyond retention.bytes', { 'retention.bytes': '250', 'retention.ms': '-1' }, [1, 2, 3, 4], 10],
    ['keeps at least retention.bytes', { 'retention.bytes': '1', 'retention.ms': '-1' }, [1, 2, 3, 4], 30],
    ['keeps all when cleanup.policy is compact', { 'cleanup.policy': 'compact', 'retention.ms': '1' }, [1, 2], 0],
    ['ages records without timestamps from their commit', { 'retention.ms': '1000' }, [-1, -1], 0],
  ])('%s', (_rule, configs, timestamps, logStartOffset) => {
    const { cluster, topicId } = filled(timestamps, configs);
    const { changed, droppedRuns } = cluster.expire();
    expect(partitionBounds(cluster.state, topicId, 0).logStartOffset).toBe(logStartOffset);
    expect(droppedRuns).toBe(logStartOffset / 10);
    expect(changed).toBe(logStartOffset > 0);
  });
});

describe('records from the future', () => {
  const weekMs = 7 * DAY_MS;
  const farMs = START_MS + 100 * 365 * DAY_MS;

  it('age from their commit', () => {
    const { cluster, topicId } = filled([farMs, START_MS - 1], { 'retention.ms': String(weekMs) });
    cluster.nowMs += weekMs;
    cluster.expire();
    expect(partitionBounds(cluster.state, topicId, 0).logStartOffset).toBe(0);
    cluster.nowMs += 1;
    cluster.expire();
    expect(partitionBounds(cluster.state, topicId, 0).logStartOffset).toBe(20);
  });
});

describe('deletion of files', () => {
  const dead = () => {
    const all = filled([1, 2, 3]);
    all.cluster.do({ kind: 'delete-records', partitions: [{ topicId: all.topicId, partition: 0, beforeOffset: 20 }] });
    return all;
  };
  const take = (cluster: TestCluster, maxFiles = 10) => cluster.do({ kind: 'take-deletions', maxFiles }).fileIds;

  it('waits a minute for fetches that located the file', () => {
    const { cluster, files } = dead();
    cluster.nowMs += 59_999;
    expect(take(cluster)).toEqual([]);
    cluster.nowMs += 1;
    expect(take(cluster)).toEqual([files[0], files[1]]);
  });

  it('leases a file for five minutes, then hands it out again', () => {
    const { cluster, files } = dead();
    cluster.nowMs += 60_000;
    expect(take(cluster, 1)).toEqual([files[0]]);
    expect(take(cluster)).toEqual([files[1]]);
    expect(take(cluster)).toEqual([]);
    cluster.nowMs += 300_000;
    expect(take(cluster)).toEqual([files[0], files[1]]);
  });

  it('removes only dead files, once deletion is confirmed', () => {
    const { cluster, files } = dead();
    cluster.nowMs += 60_000;
    take(cluster);
    expect(knownFiles(cluster.state, files)).toEqual([true, true, true]);
    expect(cluster.do({ kind: 'confirm-deletions', fileIds: [...files, id(9)] }).confirmed).toBe(2);
    expect(knownFiles(cluster.state, files)).toEqual([false, false, true]);
    expect(cluster.outcome({ kind: 'confirm-deletions', fileIds: files }).changed).toBe(false);
  });
});

describe('InitProducerId', () => {
  const init = (cluster: TestCluster, request: number) =>
    cluster.outcome({ kind: 'init-producer-id', producerId: -1, producerEpoch: -1, requestId: id(request) });

  it('gives every request its own id, and a retry the same one', () => {
    const cluster = new TestCluster();
    const ids = [init(cluster, 1), init(cluster, 2), init(cluster, 1)].map(({ answer }) => answer.producerId);
    expect(ids).toEqual([1, 2, 1]);
    expect(init(cluster, 2).changed).toBe(false);
    cluster.nowMs += 15 * 60_000;
    cluster.expire();
    expect(init(cluster, 1).answer).toEqual({ errorCode: 0, producerId: 3, producerEpoch: 0 });
  });

  it('refuses a request id that is not a UUID', () => {
    const cluster = new TestCluster();
    const requestId = new Uint8Array(3);
    const outcome = cluster.outcome({ kind: 'init-producer-id', producerId: -1, producerEpoch: -1, requestId });
    expect([outcome.changed, outcome.answer.errorCode]).toEqual([false, 42]);
  });
});
