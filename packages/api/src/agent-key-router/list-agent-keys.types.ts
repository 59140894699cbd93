import { z } from 'zod';

export const listAgentKeysInput = z.object({ clusterId: z.uuid() });
