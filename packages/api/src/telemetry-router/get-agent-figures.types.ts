import { z } from 'zod';

export const getAgentFiguresInput = z.object({ clusterId: z.uuid() });
