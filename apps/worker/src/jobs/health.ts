// Runs the health checks of the active clusters of a shard. Mails go out through their own listener; webhook calls are enqueued at
// once.
import { announceAgentAccess, auditKeyDeeds, expireHealth, type HealthWatch } from '@penstock/clusters';
import type { Database } from '@penstock/database';
import { auditApiKeyUse } from '@penstock/identity';
import type { Logger } from '@penstock/platform';
import type { Task } from 'graphile-worker';
import { enqueueWebhooks } from './deliver-webhook.ts';
import { shardOfPayload } from './shard-payload.ts';

/** @param watchOf the watch of a shard, the same one each time: it remembers */
export function watchShardJob(database: Database, watchOf: (shard: number) => HealthWatch, logger: Logger): Task {
  return async (payload, helpers) => {
    const watch = watchOf(shardOfPayload(payload));
    const { raised, resolved, notified, failures, unseenCells } = await watch.check(new Date());
    for (const { cell, error } of unseenCells) {
      logger.error(
        { err: error, cell },
        'A cell did not say which clusters are open; those known before are looked at',
      );
    }
    for (const finding of raised) {
      logger.info(finding, 'A finding was raised');
    }
    for (const finding of resolved) {
      logger.info(finding, 'A finding is over');
    }
    for (const { clusterId, error } of failures) {
      logger.error({ err: error, clusterId }, 'A cluster could not be looked at; trying again in some seconds');
    }
    if (notified > 0) {
      await enqueueWebhooks(helpers, database);
    }
  };
}

/** Announces what was written down about keys. @param webUrl for links in mails */
export function announceAccessJob(database: Database, webUrl: string | undefined): Task {
  return async () => {
    await announceAgentAccess(database, webUrl, new Date());
    await auditApiKeyUse(database, webUrl, new Date());
    await auditKeyDeeds(database, new Date());
  };
}

export function expireHealthJob(database: Database): Task {
  return async (_payload, helpers) => {
    const removed = await expireHealth(database, new Date());
    helpers.logger.info(`Expired: ${JSON.stringify(removed)}`);
  };
}
