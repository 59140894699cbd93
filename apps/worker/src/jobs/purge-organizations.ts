// Purges deleted organizations after their restore window.
import type { Database } from '@penstock/database';
import { listPurgeableOrganizations, purgeOrganization } from '@penstock/lifecycle';
import type { Task } from 'graphile-worker';

export function purgeOrganizationsJob(database: Database): Task {
  return async (_payload, helpers) => {
    const now = new Date();
    for (const organizationId of await listPurgeableOrganizations(database, now)) {
      const outcome = await purgeOrganization(database, organizationId, now);
      helpers.logger.info(`Organization ${organizationId}: ${outcome}`);
    }
  };
}
