import { z } from 'zod';

export const readLivePartInput = z.object({ clusterId: z.uuid() });

/** Kafka's longest topic name has 249 characters; group ids are as long as clients like. */
export const livePartName = z.string().min(1).max(1_000);

export const readNamedLivePartInput = readLivePartInput.extend({ name: livePartName });
