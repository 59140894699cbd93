// A worker process for tests: closes a month and waits at a fail point, where the test kills it. Arguments: database URL,
// organization, month, fail point.
import { createPrismaClient } from '@penstock/database/client';
import { withFailPoints } from '@penstock/platform/fail-point';
import { finalizeMonth } from '../finalize-month.ts';
import { settings } from './billing-settings.ts';

const [databaseUrl = '', organizationId = '', month = '', point = ''] = process.argv.slice(2);
const [year = 0, number = 0] = month.split('-').map(Number);
const now = new Date(Date.UTC(year, number, 2, 1));

await withFailPoints(
  async (reached) => {
    if (reached !== point) {
      return;
    }
    process.stdout.write(`reached ${point}\n`);
    // The test kills the process here; the timer keeps it alive until then.
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  () => finalizeMonth(createPrismaClient(databaseUrl, 1), { organizationId, month, now, settings }),
);
