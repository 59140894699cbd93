// Purges deleted organizations after their restore window.
import type { Database } from '@penstock/database';
import { listPurgeableOrganizations, purgeOrganization } from '@penstock/lifecycle';
import type { Task } from 'graphile-worker';

export function purgeOrganizationsJob(database: Database): Task {
  return async (_payload, helpers) => {
    const now = new Date();
    for (const organizationId of await listPurgeableOrganizations(database, now)) {
      // Those that are purged stay purged if the worker shuts down.
      if (helpers.abortSignal?.aborted === true) {
        return;
      }
      const outcome = await purgeOrganization(database, organizationId, now);
      helpers.logger.info(`Organization ${organizationId}: ${outcome}`);
    }
  };
}
