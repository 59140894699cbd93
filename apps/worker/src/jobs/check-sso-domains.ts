// Checks each day that the verified e-mail domains of organizations still have their TXT record.
import type { Database } from '@penstock/database';
import { checkSsoDomains } from '@penstock/identity';
import type { Task } from 'graphile-worker';

export function checkSsoDomainsJob(database: Database, webUrl: string | undefined): Task {
  return async (_payload, helpers) => {
    const checks = await checkSsoDomains(database, new Date(), { webUrl });
    helpers.logger.info(`E-mail domains: ${JSON.stringify(checks)}`);
  };
}
