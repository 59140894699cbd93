// A worker process for tests: closes a month and waits at a barrier, where the test kills it. Arguments: database URL,
// organization, month, barrier.
import { createPrismaClient } from '@penstock/database/client';
import { finalizeMonth } from '../finalize-month.ts';
import { settings } from './billing-settings.ts';

const [databaseUrl = '', organizationId = '', month = '', barrier = ''] = process.argv.slice(2);
const [year = 0, number = 0] = month.split('-').map(Number);

await finalizeMonth(
  createPrismaClient(databaseUrl, 1),
  { organizationId, month, now: new Date(Date.UTC(year, number, 2, 1)), settings },
  async (reached) => {
    if (reached !== barrier) {
      return;
    }
    process.stdout.write(`reached ${barrier}\n`);
    // The test kills the process here; the timer keeps it alive until then.
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
);
