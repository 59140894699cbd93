// Cluster health, events and metrics, for other tools.
import { OPENMETRICS_CONTENT_TYPE } from '@penstock/telemetry';
import { z } from 'zod';
import { file, list, none, one, page, type Route } from '../route.ts';
import {
  alertChoiceSchema,
  alertRecipientsSchema,
  eventSchema,
  healthSchema,
  silenceSchema,
} from '../schemas/health-schemas.ts';

/** JSON has no type for times, so they are text. */
const silenceTime = z.object({
  until: z.iso
    .datetime({ offset: true, error: 'Use a time such as 2026-11-21T15:00:00Z.' })
    .transform((text) => new Date(text))
    .meta({ description: 'RFC 3339, within the next 30 days.' }),
});

export const healthRoutes: readonly Route[] = [
  one({
    method: 'get',
    path: '/clusters/{clusterId}/health',
    id: 'getClusterHealth',
    tag: 'Health',
    summary: 'Get the health of a cluster, with open issues and how to resolve them',
    procedure: 'health.get',
    schema: healthSchema,
    select: ({ level, since, assessedAt, findings }) => ({ level, since, assessedAt, findings }),
  }),
  page({
    method: 'get',
    path: '/clusters/{clusterId}/events',
    id: 'listClusterEvents',
    tag: 'Health',
    summary: 'List the events of a cluster, newest first (CloudEvents 1.0)',
    procedure: 'health.events',
    schema: eventSchema,
    select: ({ events, nextCursor }) => ({ items: events, nextCursor }),
  }),
  file({
    method: 'get',
    path: '/clusters/{clusterId}/metrics',
    id: 'getClusterMetrics',
    tag: 'Health',
    summary: 'Get the metrics of a cluster for Prometheus (OpenMetrics 1.0)',
    description:
      'Throughput, requests, errors, latencies, agents and consumer lag. A read-only key with the viewer role is sufficient.',
    procedure: 'health.metrics',
    contentType: OPENMETRICS_CONTENT_TYPE,
    select: (text) => ({ fileName: 'metrics.txt', bytes: new TextEncoder().encode(text) }),
  }),
  list({
    method: 'get',
    path: '/clusters/{clusterId}/silences',
    id: 'listSilences',
    tag: 'Health',
    summary: 'List active silences, soonest to expire first',
    procedure: 'health.get',
    schema: silenceSchema,
    select: ({ silences }) => silences,
    idOf: ({ id }) => id,
  }),
  one({
    method: 'post',
    path: '/clusters/{clusterId}/silences',
    id: 'createSilence',
    tag: 'Health',
    summary: 'Silence alerts for one rule, or for all rules, until a given time',
    description: 'Issues are still detected, shown and logged.',
    procedure: 'health.createSilence',
    extra: silenceTime,
    example: { rule: null, until: '2026-11-22T06:00:00Z', reason: 'Maintenance tonight' },
    status: 201,
    schema: silenceSchema,
    select: (silence) => silence,
  }),
  none({
    method: 'delete',
    path: '/silences/{silenceId}',
    id: 'endSilence',
    tag: 'Health',
    summary: 'End a silence early',
    procedure: 'health.endSilence',
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/alert-recipients',
    id: 'getAlertRecipients',
    tag: 'Health',
    summary: 'List the alert recipients, shared by all clusters of the organization',
    procedure: 'health.get',
    schema: alertRecipientsSchema,
    select: ({ recipients }) => recipients,
  }),
  one({
    method: 'patch',
    path: '/alert-recipients/{userId}',
    id: 'chooseAlertRecipient',
    tag: 'Health',
    summary: 'Choose whether a member receives alerts by email',
    procedure: 'health.chooseRecipient',
    example: { isTold: true },
    schema: alertChoiceSchema,
    select: (_done, input) => alertChoiceSchema.parse(input),
  }),
];
