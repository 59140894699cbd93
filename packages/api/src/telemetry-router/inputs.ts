// Inputs of the telemetry procedures.
import { GREATEST_MAX_POINTS, MAX_AGENTS } from '@penstock/clusters';
import { type LatencyStageName, latencyStages, metrics } from '@penstock/telemetry';
import { z } from 'zod';

export const getAgentDiagnosisInput = z.object({ clusterId: z.uuid(), agentId: z.string().min(1).max(256) });

export const getAgentFiguresInput = z.object({ clusterId: z.uuid() });

const stageNames = Object.keys(latencyStages) as LatencyStageName[];

export const getAgentReadingsInput = z.object({
  clusterId: z.uuid(),
  /** All by default; a list of a thousand agents requests only what it shows. */
  stages: z.array(z.enum(stageNames)).max(stageNames.length).optional(),
});

/** Milliseconds since the Unix epoch, from 2020 to 2100, so that seconds passed by mistake are rejected. */
const timeMs = z.int().min(1_577_836_800_000).max(4_102_444_800_000);

export const getSeriesInput = z.object({
  clusterId: z.uuid(),
  fromMs: timeMs,
  toMs: timeMs,
  metric: z.enum(metrics),
  by: z.enum(['none', 'zone', 'agent']).default('none'),
  agentIds: z.array(z.string().max(256)).min(1).max(MAX_AGENTS).optional(),
  maxPoints: z.int().min(1).max(GREATEST_MAX_POINTS).optional(),
});

export const getMetricsInput = getSeriesInput
  .omit({ metric: true })
  .extend({ metrics: z.array(z.enum(metrics)).min(1).max(metrics.length) });

export const getOrganizationThroughputInput = getSeriesInput.pick({ fromMs: true, toMs: true, maxPoints: true });

export const listClientsInput = getSeriesInput.pick({ clusterId: true, fromMs: true, toMs: true });

/** Kafka's client IDs may be empty; longer ones are not kept. PostgreSQL's text cannot contain NUL, so nothing would match. */
export const getClientSeriesInput = getSeriesInput
  .pick({ clusterId: true, fromMs: true, toMs: true, maxPoints: true })
  .extend({
    clientId: z
      .string()
      .max(255)
      .refine((text) => !text.includes('\0'), 'Remove the NUL character.'),
  });
