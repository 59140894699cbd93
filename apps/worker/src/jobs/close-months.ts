// Finalizes, every hour, the invoices of months that ended at least a day ago.
import {
  billingMonth,
  finalizeMonth,
  holdUnusualUsage,
  type InvoiceSettings,
  monthsToFinalize,
} from '@penstock/billing';
import type { Database } from '@penstock/database';
import type { Cells } from '@penstock/metadata-journal';
import { AppError, type Logger } from '@penstock/platform';
import type { Task } from 'graphile-worker';

export function closeMonthsJob(database: Database, cells: Cells, settings: InvoiceSettings, logger: Logger): Task {
  return async (_payload, helpers) => {
    for (const { organizationId, month } of await monthsToFinalize(database, new Date())) {
      // Each month has its own transaction, so closed months stay closed if the worker shuts down.
      if (helpers.abortSignal?.aborted === true) {
        return;
      }
      try {
        // What the regular search missed while the worker was away.
        const { startMs, endMs } = billingMonth(month);
        const range = { organizationId, from: new Date(startMs), until: new Date(endMs) };
        for (const held of await holdUnusualUsage(database, range, { now: new Date(), webUrl: settings.webUrl })) {
          logger.warn(held, 'Unusual usage is held: review it with npm run admin -- billing holds');
        }
        const result = await finalizeMonth(database, { organizationId, month, now: new Date(), settings, cells });
        if (result.outcome === 'issued') {
          logger.info({ organizationId, month, invoice: result.number }, 'An invoice was issued');
        } else if (result.outcome === 'waits for metering') {
          logger.warn({ organizationId, month }, 'An invoice waits until all usage of its month is counted');
        }
      } catch (error) {
        // A failure of one organization must not delay the others. The next hour retries it.
        const facts = error instanceof AppError ? { remedy: error.remedy } : {};
        logger.error({ err: error, organizationId, month, ...facts }, 'An invoice could not be issued; trying again');
      }
    }
  };
}
