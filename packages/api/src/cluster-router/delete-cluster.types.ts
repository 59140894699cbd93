import { z } from 'zod';

/** `confirmation`: the cluster's exact name, typed by the person. */
export const deleteClusterInput = z.object({ clusterId: z.uuid(), confirmation: z.string().max(200) });
