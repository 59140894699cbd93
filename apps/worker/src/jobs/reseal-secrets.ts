// Seals secrets with the first root secret, including those of releases that stored them unsealed.
import type { Database } from '@penstock/database';
import { resealSecrets } from '@penstock/identity';
import type { Logger, RootSecrets } from '@penstock/platform';
import type { Task } from 'graphile-worker';

export function resealSecretsJob(database: Database, secrets: RootSecrets, logger: Logger): Task {
  return async () => {
    for (const { name, resealed, unreadable } of await resealSecrets(database, secrets)) {
      if (resealed > 0) {
        logger.info({ resealed, rootSecret: secrets[0].id }, `Sealed ${name} with the first root secret`);
      }
      if (unreadable.length > 0) {
        logger.error({ unreadable }, `No configured root secret opens these ${name}`);
      }
    }
  };
}
