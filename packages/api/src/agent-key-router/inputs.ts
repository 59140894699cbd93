// Inputs of the agent key procedures. Client-safe: imports only zod and pure modules.
import { agentKeyName } from '@penstock/clusters/inputs';
import { z } from 'zod';

export const createAgentKeyInput = z.object({ clusterId: z.uuid(), name: agentKeyName });

export const listAgentKeysInput = z.object({ clusterId: z.uuid() });

export const revokeAgentKeyInput = z.object({ agentKeyId: z.uuid() });
