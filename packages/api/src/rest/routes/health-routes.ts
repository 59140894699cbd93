// How a cluster is, for other people's tools.
import { openMetricsType } from '@penstock/services';
import { file, one, page, type Route } from '../route.ts';
import { eventSchema, healthSchema } from '../schemas/health-schemas.ts';

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
];
