// Schemas of agents' figures and clusters' throughput in the public API.
import { CLIENT_BYTES_PER_HOUR } from '@penstock/telemetry';
import { MIB_BYTES } from '@penstock/units';
import { z } from 'zod';
import { exampleIds } from './common.ts';

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

export const agentReadingSchema = z
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

export const agentDiagnosisSchema = z
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

export const severalSeriesSchema = z
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

export const throughputSchema = z
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

export const clientListSchema = z
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

export const clientSeriesSchema = z
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
