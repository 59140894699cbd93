// Measurements of clusters and their agents.
import { list, one, type Route } from '../route.ts';
import { seriesSchema } from '../schemas/cluster-schemas.ts';
import {
  agentDiagnosisSchema,
  agentReadingSchema,
  clientListSchema,
  clientSeriesSchema,
  severalSeriesSchema,
  throughputSchema,
} from '../schemas/telemetry-schemas.ts';

export const telemetryRoutes: readonly Route[] = [
  one({
    method: 'get',
    path: '/clusters/{clusterId}/series',
    id: 'getMetricSeries',
    tag: 'Metrics',
    summary: 'Query a metric over time',
    procedure: 'telemetry.series',
    schema: seriesSchema,
    select: (series) => series,
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/several-series',
    id: 'getSeveralMetricSeries',
    tag: 'Metrics',
    summary: 'Query several metrics over the same time range',
    description: 'Repeat `metrics` for each metric, such as `?metrics=latency.produce&metrics=rate.produced_bytes`.',
    procedure: 'telemetry.metrics',
    schema: severalSeriesSchema,
    select: (metrics) => metrics,
  }),
  one({
    method: 'get',
    path: '/throughput',
    id: 'getOrganizationThroughput',
    tag: 'Metrics',
    summary: 'Get the throughput of all clusters of the organization',
    procedure: 'telemetry.organizationThroughput',
    schema: throughputSchema,
    select: (throughput) => throughput,
  }),
  list({
    method: 'get',
    path: '/clusters/{clusterId}/agent-readings',
    id: 'listAgentReadings',
    tag: 'Agents',
    summary: 'Get the latest report of each agent that reported within the last 40 seconds',
    description: 'Repeat `stages` to choose latencies. The default is all stages.',
    procedure: 'telemetry.agentReadings',
    schema: agentReadingSchema,
    select: (readings) => readings,
    idOf: ({ agentId }) => agentId,
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/agents/{agentId}/diagnosis',
    id: 'getAgentDiagnosis',
    tag: 'Agents',
    summary: 'Get an agent’s bucket checks and latest errors',
    procedure: 'telemetry.agentDiagnosis',
    schema: agentDiagnosisSchema,
    select: (diagnosis, { agentId }) => ({
      agentId: String(agentId),
      diagnosis:
        diagnosis === null
          ? null
          : { ...diagnosis, checks: [...diagnosis.checks], lastErrors: [...diagnosis.lastErrors] },
    }),
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/kafka-clients',
    id: 'listKafkaClients',
    tag: 'Metrics',
    summary: 'List the client IDs whose clients pushed metrics',
    description: 'Clients push metrics if a client-metrics subscription matches them (KIP-714).',
    procedure: 'telemetry.clients',
    schema: clientListSchema,
    select: (clients) => clients,
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/kafka-client-series',
    id: 'getKafkaClientSeries',
    tag: 'Metrics',
    summary: 'Query the metrics that clients with one client ID pushed',
    description: 'Latencies and times are in milliseconds, and rates are per second.',
    procedure: 'telemetry.clientSeries',
    schema: clientSeriesSchema,
    select: (series) => series,
  }),
];
