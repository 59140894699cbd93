import { z } from 'zod';

export const revokeAgentKeyInput = z.object({ agentKeyId: z.uuid() });
