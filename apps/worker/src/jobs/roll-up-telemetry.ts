// The job that makes the coarser levels of telemetry from the finer ones.
import { rollUpTelemetry } from '@penstock/telemetry-store';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';

export function rollUpTelemetryJob(pool: Pool): Task {
  return async () => {
    // An hour's end makes the next level due at once.
    while ((await rollUpTelemetry(pool, Date.now())) > 0) {}
  };
}
