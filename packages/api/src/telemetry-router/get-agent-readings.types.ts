import { z } from 'zod';

export const getAgentReadingsInput = z.object({ clusterId: z.uuid() });
