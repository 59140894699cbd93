import { z } from 'zod';

/** Without a cluster: the whole organization. */
export const getMonthToDateInput = z.object({ clusterId: z.uuid().optional() });
