import { z } from 'zod';

export const exportMetricsInput = z.object({ clusterId: z.uuid() });
