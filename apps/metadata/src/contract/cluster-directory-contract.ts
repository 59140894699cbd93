// The contract of ClusterDirectory. It runs on PostgreSQL, on the directory in memory, and on the simulation's connections.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ClusterDirectory } from '../owners/cluster-directory.ts';

export interface ClusterDirectoryHarness {
  directory(): ClusterDirectory;
  /** Creates a cluster of the organization `org`, as the control plane does, and returns its id. */
  createCluster(): Promise<string>;
  deleteCluster(clusterId: string): Promise<void>;
}

export function describeClusterDirectory(name: string, harness: ClusterDirectoryHarness): void {
  describe(`${name}: the directory of clusters`, () => {
    test('describes a new cluster by the defaults', async () => {
      const clusterId = await harness.createCluster();
      expect(await harness.directory().lookUp([clusterId])).toEqual([
        {
          clusterId,
          organizationId: 'org',
          autoCreateTopics: true,
          defaultPartitions: 12,
          offsetsRetentionMinutes: 10_080,
          maxUncompressedBatchBytes: 67_108_864,
          mode: 'standard',
          writesRefusedReason: null,
          isPaying: false,
          isSuspended: false,
          isDeleted: false,
        },
      ]);
    });

    test('lists the clusters it was asked for, once each', async () => {
      const [one, other, third] = [
        await harness.createCluster(),
        await harness.createCluster(),
        await harness.createCluster(),
      ];
      const found = await harness.directory().lookUp([one, third, randomUUID(), one]);
      expect(found.map(({ clusterId }) => clusterId).sort()).toEqual([one, third].sort());
      expect(await harness.directory().lookUp([])).toEqual([]);
      expect(await harness.directory().lookUp([other])).toHaveLength(1);
    });

    test('lists a deleted cluster as deleted', async () => {
      const clusterId = await harness.createCluster();
      await harness.deleteCluster(clusterId);
      expect(await harness.directory().lookUp([clusterId])).toMatchObject([{ clusterId, isDeleted: true }]);
    });

    test('stores the largest uncompressed batch of one cluster', async () => {
      const [changed, other] = [await harness.createCluster(), await harness.createCluster()];
      await harness.directory().setMaxUncompressedBatchBytes(changed, 5_000);
      await harness.directory().setMaxUncompressedBatchBytes(randomUUID(), 6_000);
      expect(await harness.directory().lookUp([changed])).toMatchObject([{ maxUncompressedBatchBytes: 5_000 }]);
      expect(await harness.directory().lookUp([other])).toMatchObject([{ maxUncompressedBatchBytes: 67_108_864 }]);
    });

    test('answers with records that later changes leave alone', async () => {
      const clusterId = await harness.createCluster();
      const [before] = await harness.directory().lookUp([clusterId]);
      await harness.deleteCluster(clusterId);
      expect(before?.isDeleted).toBe(false);
    });
  });
}
