// Brings one cluster's usage ledger up to its journal.
import { foldJournal, type JournalCells } from '@penstock/billing';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';
import { z } from 'zod';

export const foldClusterPayload = z.object({ clusterId: z.uuid() });

export function foldClusterJob(pool: Pool, cells: JournalCells): Task {
  return async (payload, helpers) => {
    const { clusterId } = foldClusterPayload.parse(payload);
    // Each stretch is a transaction of its own, so what is done stays done when the worker has to leave.
    while (helpers.abortSignal?.aborted !== true) {
      const { isCaughtUp } = await foldJournal(pool, cells, clusterId);
      if (isCaughtUp) {
        return;
      }
    }
  };
}
