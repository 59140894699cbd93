// The job that creates the partitions of the coming days and drops those past the retention of their level.
import type { Logger } from '@penstock/platform';
import { dropExpiredPartitions, ensurePartitions, expireClientHours } from '@penstock/telemetry-store';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';

export function keepTelemetryPartitionsJob(pool: Pool, logger: Logger): Task {
  return async () => {
    await ensurePartitions(pool, Date.now());
    const dropped = await dropExpiredPartitions(pool, Date.now());
    await expireClientHours(pool, Date.now());
    if (dropped.length > 0) {
      logger.info({ dropped }, 'Telemetry that is past its time is dropped');
    }
  };
}
