// Folds one cluster's journal into its usage ledger.
import { foldJournal, type JournalCells } from '@penstock/billing';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';
import { z } from 'zod';

export const foldClusterPayload = z.object({ clusterId: z.uuid() });

export function foldClusterJob(pool: Pool, cells: JournalCells): Task {
  return async (payload, helpers) => {
    const { clusterId } = foldClusterPayload.parse(payload);
    // Each section has its own transaction, so finished sections are kept if the worker shuts down.
    while (helpers.abortSignal?.aborted !== true) {
      const { isCaughtUp } = await foldJournal(pool, cells, clusterId);
      if (isCaughtUp) {
        return;
      }
    }
  };
}
