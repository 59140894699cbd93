import { agentKeyName } from '@penstock/clusters/inputs';
import { z } from 'zod';

export const createAgentKeyInput = z.object({ clusterId: z.uuid(), name: agentKeyName });
