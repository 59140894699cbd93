// How the health of a cluster and its events read in the public API.
import { z } from 'zod';
import { instant } from './common.ts';

export const healthSchema = z
  .object({
    level: z
      .enum(['unknown', 'waiting', 'healthy', 'degraded', 'critical'])
      .meta({ description: '`unknown`: nobody looked within 30 s. `waiting`: no agent was ever there.' }),
    since: instant.nullable(),
    assessedAt: instant.nullable(),
    findings: z.array(
      z.object({
        id: z.uuid(),
        rule: z.string().meta({ description: 'Stable, for programs, e.g. `agents.none`' }),
        title: z.string(),
        severity: z.enum(['warning', 'critical']),
        subject: z.object({
          agentId: z.string().optional(),
          zone: z.string().optional(),
          group: z.string().optional(),
        }),
        cause: z.string(),
        remedy: z.string(),
        since: instant,
        isSilenced: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'ClusterHealth' });

export const eventSchema = z
  .object({
    specversion: z.literal('1.0'),
    id: z.uuid(),
    source: z.string(),
    type: z.string(),
    subject: z.string().optional(),
    time: z.iso.datetime(),
    datacontenttype: z.literal('application/json'),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'ClusterEvent', description: 'A CloudEvent 1.0.' });
