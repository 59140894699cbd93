import { z } from 'zod';

export const getHealthInput = z.object({ clusterId: z.uuid() });
