// What is measured of clusters and their agents.
import { list, one, type Route } from '../route.ts';
import { seriesSchema } from '../schemas/cluster-schemas.ts';
import {
  agentDiagnosisSchema,
  agentReadingSchema,
  severalSeriesSchema,
  throughputSchema,
} from '../schemas/telemetry-schemas.ts';

export const telemetryRoutes: readonly Route[] = [
  one({
    method: 'get',
    path: '/clusters/{clusterId}/series',
    id: 'getMetricSeries',
    tag: 'Metrics',
    summary: 'One metric over time',
    procedure: 'telemetry.series',
    schema: seriesSchema,
    select: (series) => series,
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/several-series',
    id: 'getSeveralMetricSeries',
    tag: 'Metrics',
    summary: 'Several metrics over the same time, read at once',
    description: 'Repeat `metrics` for each, e.g. `?metrics=latency.produce&metrics=rate.produced_bytes`.',
    procedure: 'telemetry.metrics',
    schema: severalSeriesSchema,
    select: (metrics) => metrics,
  }),
  one({
    method: 'get',
    path: '/throughput',
    id: 'getOrganizationThroughput',
    tag: 'Metrics',
    summary: 'What all clusters of the organization take in and give out, side by side',
    procedure: 'telemetry.organizationThroughput',
    schema: throughputSchema,
    select: (throughput) => throughput,
  }),
  list({
    method: 'get',
    path: '/clusters/{clusterId}/agent-readings',
    id: 'listAgentReadings',
    tag: 'Agents',
    summary: 'What each agent last said of itself, of those that reported within 40 seconds',
    description: 'Repeat `stages` for the latencies that you want; all by default.',
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
    summary: 'What an agent found out about its bucket, and what failed last',
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
];
