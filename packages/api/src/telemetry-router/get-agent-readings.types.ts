import { type LatencyStageName, latencyStages } from '@penstock/telemetry';
import { z } from 'zod';

const stageNames = Object.keys(latencyStages) as LatencyStageName[];

export const getAgentReadingsInput = z.object({
  clusterId: z.uuid(),
  /** Of all by default; a list of a thousand agents asks for what it shows. */
  stages: z.array(z.enum(stageNames)).max(stageNames.length).optional(),
});
