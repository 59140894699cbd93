import { z } from 'zod';

export const getClusterInput = z.object({ clusterId: z.uuid() });
