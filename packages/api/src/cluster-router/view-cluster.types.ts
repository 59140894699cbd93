import { z } from 'zod';

export const viewClusterInput = z.object({ clusterId: z.uuid() });
