import { z } from 'zod';

export const getAgentDiagnosisInput = z.object({ clusterId: z.uuid(), agentId: z.string().min(1).max(256) });
