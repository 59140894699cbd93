// Measurements of clusters and their agents.
import * as clusters from '@penstock/clusters';
import { CLIENT_BYTES_PER_HOUR, type LatencyStageName, latencyStages, metrics } from '@penstock/telemetry';
import { keyOfText } from '@penstock/tenancy';
import { MIB_BYTES } from '@penstock/units';
import { z } from 'zod';
import { keyName } from '../operation/cursor.ts';
import { exampleIds } from '../operation/shared-schemas.ts';
import { operations } from '../trpc/operations.ts';

const { listInMemory, query } = operations('Metrics');

const seriesSchema = z
  .object({
    metric: z.string(),
    unit: z.string(),
    by: z.enum(['none', 'zone', 'agent']),
    level: z.enum(['10s', '1m', '1h']),
    startMs: z.number(),
    stepMs: z.number(),
    steps: z.int(),
    omittedAgents: z.int(),
    lines: z.array(z.object({ group: z.string(), name: z.string(), values: z.array(z.number().nullable()) })),
    relativeError: z.number().nullable(),
  })
  .meta({
    id: 'MetricSeries',
    description: 'One value per step, oldest first. Null where there is no data.',
    example: {
      metric: 'latency.produce',
      unit: 'ms',
      by: 'none',
      level: '10s',
      startMs: 1_795_000_000_000,
      stepMs: 10_000,
      steps: 2,
      omittedAgents: 0,
      lines: [{ group: '', name: 'p50', values: [310.5, null] }],
      relativeError: 0.0157,
    },
  });

const latencyExample = { count: 120, p50_ms: 4.1, p95_ms: 9.8, p99_ms: 14.2 };

const stages = [
  'produce',
  'produce_buffer',
  'produce_put',
  'produce_commit',
  'fetch',
  'fetch_metadata',
  'fetch_cache',
  'fetch_get',
  'end_to_end',
] as const;

const latency = z
  .object({ count: z.number(), p50_ms: z.number(), p95_ms: z.number(), p99_ms: z.number() })
  .meta({ id: 'LatencyReading', example: latencyExample });

const measured = z.number().nullable();

const agentReadingSchema = z
  .object({
    agentId: z.string(),
    zone: z.string(),
    version: z.string(),
    reportedAtMs: z.number().meta({ description: 'Milliseconds since the Unix epoch.' }),
    span_ms: z.number().meta({ description: 'Time that the readings cover.' }),
    producedBytesPerS: z.number(),
    fetchedBytesPerS: z.number(),
    producedRecordsPerS: z.number(),
    requestsPerS: z.number(),
    errorsPerS: z.number(),
    objectPutsPerS: z.number().meta({ description: 'To the standard bucket.' }),
    landingPutsPerS: z.number().meta({ description: 'To landing buckets; at least two for each file.' }),
    landingFallbacksPerS: z
      .number()
      .meta({ description: 'Files written to the standard bucket because no two landing buckets accepted them.' }),
    objectGetsPerS: z.number(),
    objectErrorsPerS: z.number(),
    cpuCores: z.number(),
    cacheHitRatio: measured,
    throttledShare: z.number(),
    openConnections: measured,
    residentBytes: measured,
    cacheBytes: measured,
    inFlightBytes: measured,
    filesInFlight: measured,
    waitingReports: measured,
    clockOffset_ms: measured.meta({ description: 'The agent’s clock minus ours.' }),
    latencies: z
      .partialRecord(z.enum(stages), latency)
      .meta({ description: 'By stage. Stages without data are omitted.' }),
    refusedReports: z.number(),
    lastRefusal: z.string().nullable(),
  })
  .meta({
    id: 'AgentReading',
    example: {
      agentId: 'agent-1',
      zone: 'eu-central-1a',
      version: '0.1.0',
      reportedAtMs: 1_795_000_000_000,
      span_ms: 20_000,
      producedBytesPerS: 1_048_576,
      fetchedBytesPerS: 2_097_152,
      producedRecordsPerS: 1_000,
      requestsPerS: 40,
      errorsPerS: 0,
      objectPutsPerS: 4,
      landingPutsPerS: 0,
      landingFallbacksPerS: 0,
      objectGetsPerS: 1,
      objectErrorsPerS: 0,
      cpuCores: 0.2,
      cacheHitRatio: 0.97,
      throttledShare: 0,
      openConnections: 12,
      residentBytes: 268_435_456,
      cacheBytes: 134_217_728,
      inFlightBytes: 0,
      filesInFlight: 0,
      waitingReports: 0,
      clockOffset_ms: 3,
      latencies: { produce: latencyExample },
      refusedReports: 0,
      lastRefusal: null,
    },
  });

const failure = z
  .object({ class: z.string(), code: z.string(), message: z.string() })
  .meta({ id: 'AgentFailure', description: 'Messages come from the agent and its object storage.' });

const lifecycle = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('not-checked'), reason: z.string() }),
  z.object({ outcome: z.enum(['no-rules', 'harmless']) }),
  z.object({ outcome: z.enum(['not-allowed', 'failed']), failure }),
  z.object({
    outcome: z.literal('harmful'),
    rule: z.object({
      ruleId: z.string(),
      action: z.enum(['expires', 'transitions']),
      days: z.number().nullable(),
      prefix: z.string(),
      storageClass: z.string(),
    }),
  }),
]);

const agentDiagnosisSchema = z
  .object({
    agentId: z.string(),
    diagnosis: z
      .object({
        checkedAtMs: z.number(),
        checks: z.array(
          z.object({
            operation: z.enum(['put', 'get', 'list', 'delete']),
            took_ms: z.number(),
            failure: failure.nullable(),
          }),
        ),
        storeClockOffset_ms: z.number().nullable(),
        lifecycle,
        lastErrors: z.array(z.object({ kind: z.enum(['store', 'metadata', 'permission']), failure, atMs: z.number() })),
      })
      .nullable()
      .meta({ description: 'Null: the agent hasn’t reported yet.' }),
  })
  .meta({
    id: 'AgentDiagnosis',
    example: {
      agentId: 'agent-1',
      diagnosis: {
        checkedAtMs: 1_795_000_000_000,
        checks: [{ operation: 'put', took_ms: 31, failure: null }],
        storeClockOffset_ms: 2,
        lifecycle: { outcome: 'harmless' },
        lastErrors: [],
      },
    },
  });

const values = z.array(z.number().nullable());

const level = z.enum(['10s', '1m', '1h']);

const severalSeriesSchema = z
  .object({
    by: z.enum(['none', 'zone', 'agent']),
    level,
    startMs: z.number(),
    stepMs: z.number(),
    steps: z.int(),
    omittedAgents: z.int(),
    series: z.array(
      z.object({
        metric: z.string(),
        unit: z.string(),
        lines: z.array(z.object({ group: z.string(), name: z.string(), values })),
        relativeError: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'SeveralMetricSeries', description: 'In the requested order.' });

const throughputSchema = z
  .object({
    level,
    startMs: z.number(),
    stepMs: z.number(),
    steps: z.int(),
    clusters: z.array(
      z.object({ clusterId: z.uuid(), name: z.string(), producedBytesPerS: values, fetchedBytesPerS: values }),
    ),
    omittedClusters: z.int(),
  })
  .meta({
    id: 'OrganizationThroughput',
    example: {
      level: '10s',
      startMs: 1_795_000_000_000,
      stepMs: 10_000,
      steps: 2,
      clusters: [
        {
          clusterId: exampleIds.cluster,
          name: 'orders',
          producedBytesPerS: [1_048_576, null],
          fetchedBytesPerS: [2_097_152, null],
        },
      ],
      omittedClusters: 0,
    },
  });

const clientListSchema = z
  .object({
    clients: z.array(
      z.object({
        clientId: z.string(),
        software: z.array(z.object({ name: z.string(), version: z.string() })),
        instances: z.int().meta({ description: 'Instances that pushed within the range. At most 200 are counted.' }),
        lastPushedAtMs: z.number().meta({ description: 'Milliseconds since the Unix epoch.' }),
        isProducer: z.boolean(),
        isConsumer: z.boolean(),
      }),
    ),
    isTruncated: z
      .boolean()
      .meta({ description: 'The range holds more than one query reads. Choose a shorter range.' }),
    droppedPushes: z.number().meta({
      description: `Pushes within the hours of the range that were dropped. A cluster keeps ${CLIENT_BYTES_PER_HOUR / MIB_BYTES} MiB of client metrics per hour, and an agent those of 100 client IDs. Choose a longer interval in your subscriptions, or match fewer clients.`,
    }),
  })
  .meta({
    id: 'KafkaClients',
    example: {
      clients: [
        {
          clientId: 'checkout',
          software: [{ name: 'apache-kafka-java', version: '4.3.1' }],
          instances: 3,
          lastPushedAtMs: 1_795_000_000_000,
          isProducer: true,
          isConsumer: false,
        },
      ],
      isTruncated: false,
      droppedPushes: 0,
    },
  });

const clientSeriesSchema = z
  .object({
    level,
    startMs: z.number(),
    stepMs: z.number(),
    steps: z.int(),
    series: z.array(
      z.object({
        metric: z.string().meta({ description: 'Kafka’s name without `org.apache.kafka.`' }),
        unit: z.string(),
        mean: values.meta({ description: 'The mean of all instances and pushes.' }),
        max: values.meta({ description: 'The highest value of any instance.' }),
      }),
    ),
  })
  .meta({
    id: 'KafkaClientSeries',
    example: {
      level: '10s',
      startMs: 1_795_000_000_000,
      stepMs: 10_000,
      steps: 2,
      series: [{ metric: 'producer.record.send.rate', unit: '1/s', mean: [41.5, null], max: [60.2, null] }],
    },
  });

const stageNames = Object.keys(latencyStages) as LatencyStageName[];

/** Milliseconds since the Unix epoch, from 2020 to 2100, so that seconds passed by mistake are rejected. */
const timeMs = z.int().min(1_577_836_800_000).max(4_102_444_800_000);

const getSeriesInput = z.object({
  clusterId: z.uuid(),
  fromMs: timeMs,
  toMs: timeMs,
  metric: z.enum(metrics),
  by: z.enum(['none', 'zone', 'agent']).default('none'),
  agentIds: z.array(z.string().max(256)).min(1).max(clusters.MAX_AGENTS).optional(),
  maxPoints: z.int().min(1).max(clusters.GREATEST_MAX_POINTS).optional(),
});

/** Kafka's client IDs may be empty; longer ones are not kept. PostgreSQL's text cannot contain NUL, so nothing would match. */
export const getClientSeriesInput = getSeriesInput
  .pick({ clusterId: true, fromMs: true, toMs: true, maxPoints: true })
  .extend({
    clientId: z
      .string()
      .max(255)
      .refine((text) => !text.includes('\0'), 'Remove the NUL character.'),
  });

export const telemetryOperations = {
  series: query({
    access: 'cluster:read',
    input: getSeriesInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.queryClusterSeries(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/series',
        id: 'getMetricSeries',
        summary: 'Query a metric over time',
        schema: seriesSchema,
      }),
  }),
  metrics: query({
    access: 'cluster:read',
    input: getSeriesInput
      .omit({ metric: true })
      .extend({ metrics: z.array(z.enum(metrics)).min(1).max(metrics.length) }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.queryClusterMetrics(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/several-series',
        id: 'getSeveralMetricSeries',
        summary: 'Query several metrics over the same time range',
        description:
          'Repeat `metrics` for each metric, such as `?metrics=latency.produce&metrics=rate.produced_bytes`.',
        schema: severalSeriesSchema,
      }),
  }),
  organizationThroughput: query({
    access: 'cluster:read',
    isFiltered: true,
    input: getSeriesInput.pick({ fromMs: true, toMs: true, maxPoints: true }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.queryOrganizationThroughput(scope, input, ctx.sees)),
    rest: ({ one }) =>
      one({
        route: 'GET /throughput',
        id: 'getOrganizationThroughput',
        summary: 'Get the throughput of all clusters of the organization',
        schema: throughputSchema,
      }),
  }),
  agentReadings: listInMemory({
    access: 'cluster:read',
    input: z.object({
      clusterId: z.uuid(),
      /** All by default; a list of a thousand agents requests only what it shows. */
      stages: z.array(z.enum(stageNames)).max(stageNames.length).optional(),
    }),
    key: z.tuple([keyName]),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.sharedAgentReadings(scope, input)),
    keyOf: ({ agentId }) => [keyOfText(agentId)],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/agent-readings',
        id: 'listAgentReadings',
        tag: 'Agents',
        summary: 'Get the latest report of each agent that reported within the last 40 seconds',
        description: 'Repeat `stages` to choose latencies. The default is all stages.',
        schema: agentReadingSchema,
      }),
  }),
  agentDiagnosis: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid(), agentId: z.string().min(1).max(256) }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.getAgentDiagnosis(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/agents/{agentId}/diagnosis',
        id: 'getAgentDiagnosis',
        tag: 'Agents',
        summary: 'Get an agent’s bucket checks and latest errors',
        schema: agentDiagnosisSchema,
        select: (diagnosis, { agentId }) => ({
          agentId: String(agentId),
          diagnosis:
            diagnosis === null
              ? null
              : { ...diagnosis, checks: [...diagnosis.checks], lastErrors: [...diagnosis.lastErrors] },
        }),
      }),
  }),
  clients: query({
    access: 'cluster:read',
    input: getSeriesInput.pick({ clusterId: true, fromMs: true, toMs: true }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.listClients(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/kafka-clients',
        id: 'listKafkaClients',
        summary: 'List the client IDs whose clients pushed metrics',
        description: 'Clients push metrics if a client-metrics subscription matches them (KIP-714).',
        schema: clientListSchema,
      }),
  }),
  clientSeries: query({
    access: 'cluster:read',
    input: getClientSeriesInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.queryClientSeries(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/kafka-client-series',
        id: 'getKafkaClientSeries',
        summary: 'Query the metrics that clients with one client ID pushed',
        description: 'Latencies and times are in milliseconds, and rates are per second.',
        schema: clientSeriesSchema,
      }),
  }),
  agentFigures: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.sharedAgentFigures(scope, input)),
    rest: { answeredBy: ['listAgentReadings'] },
  }),
};
