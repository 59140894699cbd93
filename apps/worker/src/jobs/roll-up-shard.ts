// Rolls fine telemetry levels of a shard's clusters up into coarser ones.
import { rollUpTelemetry } from '@penstock/telemetry-store';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';
import { shardOfPayload } from './shard-payload.ts';

export function rollUpShardJob(pool: Pool): Task {
  return async (payload, { abortSignal }) => {
    const options = { shards: [shardOfPayload(payload)], signal: abortSignal };
    // The end of an hour makes the next level due at once.
    while (abortSignal?.aborted !== true && (await rollUpTelemetry(pool, Date.now(), options)) > 0) {}
  };
}
