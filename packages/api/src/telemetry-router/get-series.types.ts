import { greatestMaxPoints, maxAgents } from '@penstock/clusters';
import { metrics } from '@penstock/telemetry';
import { z } from 'zod';

/** Milliseconds since the Unix epoch, from 2020 to 2100: seconds given by mistake are noticed. */
const timeMs = z.int().min(1_577_836_800_000).max(4_102_444_800_000);

export const getSeriesInput = z.object({
  clusterId: z.uuid(),
  fromMs: timeMs,
  toMs: timeMs,
  metric: z.enum(metrics),
  by: z.enum(['none', 'zone', 'agent']).default('none'),
  agentIds: z.array(z.string().max(256)).min(1).max(maxAgents).optional(),
  maxPoints: z.int().min(1).max(greatestMaxPoints).optional(),
});
