// The contract of DeadFiles. The test file of each implementation runs this suite.
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DeadFile, DeadFiles } from '../dead-files.ts';

export interface DeadFilesHarness {
  deadFiles(): DeadFiles;
}

const NOW_MS = 1_800_000_000_000;
const LEASE_MS = 60_000;

function file(deleteAfterMs: number, bytes = 100): DeadFile {
  return { fileId: Uint8Array.from(randomBytes(16)), bytes, deleteAfterMs };
}

function hex(fileIds: readonly Uint8Array[]): string[] {
  return fileIds.map((fileId) => Buffer.from(fileId).toString('hex'));
}

function idsOf(files: readonly DeadFile[]): string[] {
  return hex(files.map(({ fileId }) => fileId));
}

export function describeDeadFiles(name: string, harness: DeadFilesHarness): void {
  describe(`${name}: dead files`, () => {
    async function take(clusterId: string, nowMs = NOW_MS, maxFiles = 10, dueMs: number | null = nowMs) {
      return hex(await harness.deadFiles().take(clusterId, { maxFiles, dueMs, nowMs, leaseUntilMs: nowMs + LEASE_MS }));
    }

    test('a file is handed out once its time has come', async () => {
      const clusterId = randomUUID();
      const dead = file(NOW_MS + 5_000);
      await harness.deadFiles().add(clusterId, [dead]);
      expect(await take(clusterId, NOW_MS + 4_999)).toEqual([]);
      expect(await take(clusterId, NOW_MS + 5_000)).toEqual(idsOf([dead]));
    });

    test('the oldest files come first, and no more than asked for', async () => {
      const clusterId = randomUUID();
      const files = [file(NOW_MS - 1_000), file(NOW_MS - 3_000), file(NOW_MS - 2_000)];
      await harness.deadFiles().add(clusterId, files);
      expect(await take(clusterId, NOW_MS, 2)).toEqual(
        [files[1], files[2]].flatMap((one) => (one ? idsOf([one]) : [])),
      );
    });

    test('a taken file is not handed out again before its lease ends', async () => {
      const clusterId = randomUUID();
      const files = [file(NOW_MS), file(NOW_MS)];
      await harness.deadFiles().add(clusterId, files);
      expect((await take(clusterId)).sort()).toEqual(idsOf(files).sort());
      expect(await take(clusterId, NOW_MS + LEASE_MS - 1)).toEqual([]);
      expect((await take(clusterId, NOW_MS + LEASE_MS)).sort()).toEqual(idsOf(files).sort());
    });

    test('two calls at once never get the same file', async () => {
      const clusterId = randomUUID();
      await harness.deadFiles().add(
        clusterId,
        Array.from({ length: 20 }, () => file(NOW_MS)),
      );
      const taken = (await Promise.all([take(clusterId, NOW_MS, 20), take(clusterId, NOW_MS, 20)])).flat();
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken.length).toBe(20);
    });

    test('without a due time, the oldest files come early', async () => {
      const clusterId = randomUUID();
      const files = [file(NOW_MS + 2_000), file(NOW_MS + 1_000)];
      await harness.deadFiles().add(clusterId, files);
      expect(await take(clusterId, NOW_MS, 1, null)).toEqual(files.slice(1).flatMap((one) => idsOf([one])));
    });

    test('a file that is added again keeps its time', async () => {
      const clusterId = randomUUID();
      const dead = file(NOW_MS);
      await harness.deadFiles().add(clusterId, [dead]);
      await harness.deadFiles().add(clusterId, [{ ...dead, deleteAfterMs: NOW_MS + 9_000 }]);
      expect(await take(clusterId)).toEqual(idsOf([dead]));
    });

    test('a removed file is gone, and removing it again is no error', async () => {
      const clusterId = randomUUID();
      const [dead, other] = [file(NOW_MS), file(NOW_MS, 7)];
      await harness.deadFiles().add(clusterId, [dead, other]);
      await harness.deadFiles().remove(clusterId, [dead.fileId]);
      await harness.deadFiles().remove(clusterId, [dead.fileId]);
      expect(await harness.deadFiles().holds(clusterId, [dead.fileId, other.fileId])).toEqual([false, true]);
      expect(await harness.deadFiles().totals(clusterId)).toEqual({ files: 1, bytes: 7 });
    });

    test('clusters do not see the files of each other', async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      const dead = file(NOW_MS);
      await harness.deadFiles().add(one, [dead]);
      expect(await take(other)).toEqual([]);
      expect(await harness.deadFiles().holds(other, [dead.fileId])).toEqual([false]);
      await harness.deadFiles().remove(other, [dead.fileId]);
      expect(await harness.deadFiles().totals(one)).toEqual({ files: 1, bytes: 100 });
    });
  });
}
