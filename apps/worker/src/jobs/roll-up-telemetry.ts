// The job that rolls fine telemetry levels up into coarser ones.
import { rollUpTelemetry } from '@penstock/telemetry-store';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';

export function rollUpTelemetryJob(pool: Pool): Task {
  return async (_payload, { abortSignal }) => {
    // The end of an hour makes the next level due at once.
    while (abortSignal?.aborted !== true && (await rollUpTelemetry(pool, Date.now())) > 0) {}
  };
}
