// Looks up, each day, whether the verified e-mail domains of organizations are still proven.
import type { Database } from '@penstock/database';
import { checkSsoDomains } from '@penstock/identity';
import type { Task } from 'graphile-worker';

export function checkSsoDomainsJob(database: Database, webUrl: string | undefined): Task {
  return async (_payload, helpers) => {
    const checks = await checkSsoDomains(database, new Date(), { webUrl });
    helpers.logger.info(`E-mail domains: ${JSON.stringify(checks)}`);
  };
}
