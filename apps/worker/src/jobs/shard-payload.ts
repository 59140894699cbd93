// The payload of jobs that work for the clusters of a shard.
import { SHARDS } from '@penstock/platform';
import { z } from 'zod';

export const shardPayload = z.object({
  shard: z
    .int()
    .min(0)
    .max(SHARDS - 1),
});

export function shardOfPayload(payload: unknown): number {
  return shardPayload.parse(payload).shard;
}
