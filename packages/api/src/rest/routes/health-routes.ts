// How a cluster is, for other people's tools.
import { openMetricsType } from '@penstock/clusters';
import { z } from 'zod';
import { file, list, none, one, page, type Route } from '../route.ts';
import {
  alertChoiceSchema,
  alertRecipientsSchema,
  eventSchema,
  healthSchema,
  silenceSchema,
} from '../schemas/health-schemas.ts';

/** A body in JSON has no times but text. */
const silenceTime = z.object({
  until: z.iso
    .datetime({ offset: true, error: 'Give a time like 2026-11-21T15:00:00Z.' })
    .transform((text) => new Date(text))
    .meta({ description: 'RFC 3339, within the next 30 days.' }),
});

export const healthRoutes: readonly Route[] = [
  one({
    method: 'get',
    path: '/clusters/{clusterId}/health',
    id: 'getClusterHealth',
    tag: 'Health',
    summary: 'The verdict on a cluster with its reasons and what to do',
    procedure: 'health.get',
    schema: healthSchema,
    select: ({ level, since, assessedAt, findings }) => ({ level, since, assessedAt, findings }),
  }),
  page({
    method: 'get',
    path: '/clusters/{clusterId}/events',
    id: 'listClusterEvents',
    tag: 'Health',
    summary: 'What happened to a cluster, newest first, as CloudEvents 1.0',
    procedure: 'health.events',
    schema: eventSchema,
    select: ({ events, nextCursor }) => ({ items: events, nextCursor }),
  }),
  file({
    method: 'get',
    path: '/clusters/{clusterId}/metrics',
    id: 'getClusterMetrics',
    tag: 'Health',
    summary: 'Metrics of a cluster for Prometheus and its like (OpenMetrics 1.0)',
    description:
      'Throughput, requests, errors, latencies, agents and consumer lag. A read-only key with the role viewer suffices.',
    procedure: 'health.metrics',
    contentType: openMetricsType,
    select: (text) => ({ fileName: 'metrics.txt', bytes: new TextEncoder().encode(text) }),
  }),
  list({
    method: 'get',
    path: '/clusters/{clusterId}/silences',
    id: 'listSilences',
    tag: 'Health',
    summary: 'Silences that hold, the one that ends first in front',
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
    summary: 'Lets nobody be told of a rule’s findings, or of any, until a time',
    description: 'Findings are raised, shown and logged all the same.',
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
    summary: 'Ends a silence before its time',
    procedure: 'health.endSilence',
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/alert-recipients',
    id: 'getAlertRecipients',
    tag: 'Health',
    summary: 'Who is told of findings; the same for all clusters of the organization',
    procedure: 'health.get',
    schema: alertRecipientsSchema,
    select: ({ recipients }) => recipients,
  }),
  one({
    method: 'patch',
    path: '/alert-recipients/{userId}',
    id: 'chooseAlertRecipient',
    tag: 'Health',
    summary: 'Whether a member is told of findings by mail, whatever their role',
    procedure: 'health.chooseRecipient',
    example: { isTold: true },
    schema: alertChoiceSchema,
    select: (_done, input) => alertChoiceSchema.parse(input),
  }),
];
