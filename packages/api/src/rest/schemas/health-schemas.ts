// Schemas of cluster health and events in the public API.
import { z } from 'zod';
import { exampleIds, instant } from './common.ts';

export const healthSchema = z
  .object({
    level: z
      .enum(['unknown', 'waiting', 'healthy', 'degraded', 'critical'])
      .meta({ description: '`unknown`: not checked within 30 s. `waiting`: no agent has ever registered.' }),
    since: instant.nullable(),
    assessedAt: instant.nullable(),
    findings: z.array(
      z.object({
        id: z.uuid(),
        rule: z.string().meta({ description: 'Stable ID for programs, such as `agents.none`.' }),
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

export const silenceSchema = z
  .object({
    id: z.uuid(),
    rule: z.string().nullable().meta({ description: 'Null: every rule.' }),
    reason: z.string(),
    until: instant,
    createdBy: z.string(),
    createdAt: instant,
  })
  .meta({
    id: 'Silence',
    example: {
      id: exampleIds.key,
      rule: 'agents.none',
      reason: 'We move the agents to another zone',
      until: '2026-11-21T18:00:00.000Z',
      createdBy: 'ada@example.com',
      createdAt: '2026-11-21T15:04:00.000Z',
    },
  });

export const alertRecipientsSchema = z
  .object({
    emails: z.array(z.string()),
    webhookHost: z
      .string()
      .nullable()
      .meta({ description: 'Only the host, because webhook paths often contain secrets.' }),
    members: z.array(
      z.object({ userId: z.string(), name: z.string(), email: z.string(), role: z.string(), isTold: z.boolean() }),
    ),
  })
  .meta({
    id: 'AlertRecipients',
    example: {
      emails: ['ada@example.com'],
      webhookHost: 'hooks.example.com',
      members: [{ userId: exampleIds.user, name: 'Ada Park', email: 'ada@example.com', role: 'admin', isTold: true }],
    },
  });

export const alertChoiceSchema = z
  .object({ userId: z.string(), isTold: z.boolean() })
  .meta({ id: 'AlertChoice', example: { userId: exampleIds.user, isTold: true } });
