// A virtual cluster with millions of runs, created by the real owner in this process and stored as a snapshot.
import { commitOf } from '../../../apps/metadata/src/testing/cluster-fixture.ts';
import type { ClusterWithKey, ControlPlaneFixture } from '../../../apps/metadata/src/testing/control-plane-fixture.ts';
import { createTopic, openOwner } from '../../bench/src/metadata/owned-commits.ts';
import { RUNS_PER_COMMIT } from '../../bench/src/metadata/workload.ts';

/** Enough that commits share entries: only the state matters here, not its journal. */
const IN_FLIGHT = 256;

export interface LargeCluster extends ClusterWithKey {
  files: number;
  snapshotBytes: number;
}

/** @param runsPerFile at most the topic's number of partitions, 288 */
export async function makeLargeCluster(
  controlPlane: ControlPlaneFixture,
  runs: number,
  runsPerFile: number,
): Promise<LargeCluster> {
  const cluster = await controlPlane.createCluster();
  const owner = await openOwner(controlPlane.pool, { clusterId: cluster.clusterId, organizationId: 'org' });
  const topicId = await createTopic(owner);
  const files = Math.ceil(runs / runsPerFile);
  let started = 0;
  const commitFiles = async (): Promise<void> => {
    while (started < files) {
      const first = started * runsPerFile;
      started += 1;
      const partitions = Array.from({ length: runsPerFile }, (_, run) => (first + run) % RUNS_PER_COMMIT);
      const { errorCode, errorMessage } = await owner.submit(commitOf(topicId, partitions, 1, Date.now()));
      if (errorCode !== 0) {
        throw new Error(`a commit was refused: ${errorCode} ${errorMessage}`);
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, commitFiles));
  const { bytes } = await owner.takeSnapshot();
  await owner.retire();
  return { ...cluster, files, snapshotBytes: bytes };
}
