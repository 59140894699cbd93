// Folds the journals of a shard's clusters into their usage ledgers, many per transaction.
import { clustersToFold, foldClusters, type JournalCells } from '@penstock/billing';
import type { Logger } from '@penstock/platform';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';
import type { MeteringWatch } from '../metering-watch.ts';
import { flagOf } from '../shard-share.ts';
import { shardOfPayload } from './shard-payload.ts';

/** Then the job looks again which clusters wait, so that one with a long backlog does not hold up the others. */
const RUN_MS = 5_000;

export interface FoldShardOptions {
  pool: Pool;
  cells: JournalCells;
  metering: Pick<MeteringWatch, 'note'>;
  logger: Logger;
}

export function foldShardJob({ pool, cells, metering, logger }: FoldShardOptions): Task {
  return async (payload, helpers) => {
    const shard = shardOfPayload(payload);
    const { clusterIds, oldest, failures } = await clustersToFold(pool, cells, [shard]);
    // A cell that did not answer may hold an older one, so what was known of it stays.
    if (failures.length === 0) {
      metering.note(shard, oldest);
    }
    for (const { cell, error } of failures) {
      logger.error({ err: error, cell }, 'A cell did not say what there is to meter; trying again');
    }
    const startMs = performance.now();
    const isAborted = (): boolean => helpers.abortSignal?.aborted === true;
    const { failed, unfinished } = await foldClusters(
      pool,
      cells,
      clusterIds,
      () => isAborted() || performance.now() - startMs > RUN_MS,
    );
    // Alone, its failure is seen and repeated as a job of its own.
    for (const clusterId of failed) {
      await helpers.addJob(
        'fold-cluster',
        { clusterId },
        { jobKey: `fold:${clusterId}`, jobKeyMode: 'preserve_run_at' },
      );
    }
    if (unfinished.length > 0 && !isAborted()) {
      await helpers.addJob('fold-shard', { shard }, { jobKey: `fold-shard:${shard}`, flags: [flagOf(shard)] });
    }
  };
}
