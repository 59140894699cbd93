// Cluster health, events and metrics, for other tools.
import * as clusters from '@penstock/clusters';
import { OPENMETRICS_CONTENT_TYPE } from '@penstock/telemetry';
import { z } from 'zod';
import { eventCursor, keyTime } from '../operation/cursor.ts';
import { DAILY_WORK } from '../operation/reasons.ts';
import { exampleIds, instant } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { createSilenceInput } from './inputs.ts';

const { list, mutation, query } = operations('Health');

const healthSchema = z
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

const eventSchema = z
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

const silenceSchema = z
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

const alertRecipientsSchema = z
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

const alertChoiceSchema = z
  .object({ userId: z.string(), isTold: z.boolean() })
  .meta({ id: 'AlertChoice', example: { userId: exampleIds.user, isTold: true } });

const getHealthInput = z.object({ clusterId: z.uuid() });

/** JSON has no type for times, so they are text. */
const silenceTime = z.object({
  until: z.iso
    .datetime({ offset: true, error: 'Use a time such as 2026-11-21T15:00:00Z.' })
    .transform((text) => new Date(text))
    .meta({ description: 'RFC 3339, within the next 30 days.' }),
});

export const healthOperations = {
  get: query({
    access: 'cluster:read',
    input: getHealthInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.getClusterHealth(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/health',
        id: 'getClusterHealth',
        summary: 'Get the health of a cluster, with open issues and how to resolve them',
        schema: healthSchema,
        select: ({ level, since, assessedAt, findings }) => ({ level, since, assessedAt, findings }),
      }),
  }),
  events: query({
    access: 'cluster:read',
    input: z.object({
      clusterId: z.uuid(),
      limit: z.int().min(1).max(200).default(50),
      cursor: eventCursor.schema,
      /** Filters events by subject, e.g. `agent/12`, `zone/a` or `group/orders`; all by default. */
      subject: z.string().min(1).max(300).optional(),
    }),
    run: async ({ ctx, input }) => {
      const cursor = eventCursor.idIn(input.cursor);
      return eventCursor.page(await ctx.run((scope) => clusters.listEvents(scope, { ...input, cursor })));
    },
    rest: ({ page }) =>
      page({
        route: 'GET /clusters/{clusterId}/events',
        id: 'listClusterEvents',
        summary: 'List the events of a cluster, newest first (CloudEvents 1.0)',
        schema: eventSchema,
        select: ({ events, nextCursor }) => ({ items: events, nextCursor }),
      }),
  }),
  metrics: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.exportMetrics(scope, ctx.backend.metadata, input)),
    rest: ({ file }) =>
      file({
        route: 'GET /clusters/{clusterId}/metrics',
        id: 'getClusterMetrics',
        summary: 'Get the metrics of a cluster for Prometheus (OpenMetrics 1.0)',
        description:
          'Throughput, requests, errors, latencies, agents and consumer lag. A read-only key with the viewer role is sufficient.',
        contentType: OPENMETRICS_CONTENT_TYPE,
        select: (text) => ({ fileName: 'metrics.txt', bytes: new TextEncoder().encode(text) }),
      }),
  }),
  listSilences: list({
    access: 'cluster:read',
    input: getHealthInput,
    key: z.tuple([keyTime, z.uuid()]),
    run: ({ ctx, input, slice }) => ctx.run((scope) => clusters.listSilences(scope, input, slice)),
    keyOf: ({ until, id }) => [until, id],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/silences',
        id: 'listSilences',
        summary: 'List active silences, soonest to expire first',
        schema: silenceSchema,
      }),
  }),
  createSilence: mutation({
    access: 'silence:write',
    confirmation: not(DAILY_WORK),
    audit: 'silence.create',
    input: createSilenceInput,
    example: { rule: null, until: '2026-11-22T06:00:00Z', reason: 'Maintenance tonight' },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.createSilence(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/silences',
        id: 'createSilence',
        summary: 'Silence alerts for one rule, or for all rules, until a given time',
        description: 'Issues are still detected, shown and logged.',
        extra: silenceTime,
        status: 201,
        schema: silenceSchema,
      }),
  }),
  endSilence: mutation({
    access: 'silence:write',
    clusterOf: clusters.clusterOfSilence,
    confirmation: not(DAILY_WORK),
    audit: 'silence.end',
    input: z.object({ silenceId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.endSilence(scope, input)),
    rest: ({ none }) =>
      none({ route: 'DELETE /silences/{silenceId}', id: 'endSilence', summary: 'End a silence early' }),
  }),
  recipients: query({
    access: 'cluster:read',
    input: getHealthInput,
    run: async ({ ctx, input }) => (await ctx.run((scope) => clusters.getClusterHealth(scope, input))).recipients,
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/alert-recipients',
        id: 'getAlertRecipients',
        summary: 'List the alert recipients, shared by all clusters of the organization',
        schema: alertRecipientsSchema,
      }),
  }),
  chooseRecipient: mutation({
    access: 'cluster:write',
    isOrganizationWide: true,
    confirmation: not(DAILY_WORK),
    audit: 'alerts.choose-recipient',
    input: z.object({ userId: z.string().min(1).max(100), isTold: z.boolean() }),
    example: { isTold: true },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.chooseRecipient(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'PATCH /alert-recipients/{userId}',
        id: 'chooseAlertRecipient',
        summary: 'Choose whether a member receives alerts by email',
        schema: alertChoiceSchema,
        select: (_done, input) => alertChoiceSchema.parse(input),
      }),
  }),
  levels: query({
    access: 'cluster:read',
    isFiltered: true,
    run: async ({ ctx }) => (await ctx.run(clusters.listClusterHealth)).filter(({ clusterId }) => ctx.sees(clusterId)),
    rest: { answeredBy: ['getClusterHealth'] },
  }),
};
