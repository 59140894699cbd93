import { z } from 'zod';

export const restoreClusterInput = z.object({ clusterId: z.uuid() });
