// Reads the SAML metadata of organizations' providers each day, for new certificates.
import type { Database } from '@penstock/database';
import { refreshSamlMetadata } from '@penstock/identity';
import type { WebhookPolicy } from '@penstock/tenancy';
import type { Task } from 'graphile-worker';

export function refreshSamlMetadataJob(database: Database, policy: WebhookPolicy): Task {
  return async (_payload, helpers) => {
    const refreshes = await refreshSamlMetadata(database, new Date(), policy);
    helpers.logger.info(`SAML metadata: ${JSON.stringify(refreshes)}`);
  };
}
