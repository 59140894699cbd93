import { router } from '../trpc/trpc.ts';
import { createCluster } from './create-cluster.ts';
import { deleteCluster } from './delete-cluster.ts';
import { getCluster } from './get-cluster.ts';
import { listClusters } from './list-clusters.ts';
import { listDeletedClusters } from './list-deleted-clusters.ts';
import { readLivePart, readNamedLivePart } from './read-live-part.ts';
import { renameCluster } from './rename-cluster.ts';
import { restoreCluster } from './restore-cluster.ts';
import { updateClusterSettings } from './update-cluster-settings.ts';
import { viewCluster } from './view-cluster.ts';
import { watchCluster } from './watch-cluster.ts';

export const clusterRouter = router({
  create: createCluster,
  list: listClusters,
  listDeleted: listDeletedClusters,
  get: getCluster,
  rename: renameCluster,
  updateSettings: updateClusterSettings,
  delete: deleteCluster,
  restore: restoreCluster,
  view: viewCluster,
  summary: readLivePart('summary'),
  throughput: readLivePart('throughput'),
  agents: readLivePart('agents'),
  topics: readLivePart('topics'),
  groups: readLivePart('groups'),
  topic: readNamedLivePart('topic'),
  group: readNamedLivePart('group'),
  watch: watchCluster,
});
