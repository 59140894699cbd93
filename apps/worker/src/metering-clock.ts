// Every ten seconds: a fold for each cluster whose journal holds something new. The dashboard is so at most half a minute behind.
import { clustersToFold, type JournalCells } from '@penstock/billing';
import type { Logger } from '@penstock/platform';
import type { Runner } from 'graphile-worker';
import type { Pool } from 'pg';

const interval_ms = 10_000;

/**
 * Starts the clock. The returned function stops it and resolves when no look is under way.
 * A job key per cluster keeps a slow fold from piling up; a job that a killed worker has left locked does not block the next.
 */
export function startMeteringClock(
  pool: Pool,
  cells: JournalCells,
  runner: Pick<Runner, 'addJob'>,
  logger: Logger,
): () => Promise<void> {
  let look: Promise<void> = Promise.resolve();
  const tick = (): void => {
    look = look
      .then(async () => {
        const { clusterIds, failures } = await clustersToFold(pool, cells);
        for (const { cell, error } of failures) {
          logger.error({ err: error, cell }, 'A cell did not say what there is to meter; trying again');
        }
        for (const clusterId of clusterIds) {
          await runner.addJob(
            'fold-cluster',
            { clusterId },
            { jobKey: `fold:${clusterId}`, jobKeyMode: 'preserve_run_at' },
          );
        }
      })
      .catch((error: unknown) => logger.error({ err: error }, 'Could not look for clusters to meter; trying again'));
  };
  tick();
  const timer = setInterval(tick, interval_ms);
  return async () => {
    clearInterval(timer);
    await look;
  };
}
