// Purges deleted clusters after their restore window.
import { listPurgeableClusters, purgeCluster } from '@penstock/clusters';
import type { Database } from '@penstock/database';
import type { Cells } from '@penstock/metadata-journal';
import type { Task } from 'graphile-worker';

export function purgeClustersJob(database: Database, cells: Cells): Task {
  return async (_payload, helpers) => {
    const now = new Date();
    for (const clusterId of await listPurgeableClusters(database, now)) {
      // Those that are purged stay purged if the worker shuts down.
      if (helpers.abortSignal?.aborted === true) {
        return;
      }
      const outcome = await purgeCluster(database, clusterId, now, cells);
      helpers.logger.info(`Cluster ${clusterId}: ${outcome}`);
    }
  };
}
