// Schemas of clusters, topics, groups and agent keys in the public API.
import { z } from 'zod';
import { exampleIds, instant, wholeNumber } from './common.ts';

export const clusterSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    cloud: z.string(),
    region: z.string(),
    autoCreateTopics: z.boolean(),
    defaultPartitions: z.int(),
    offsetsRetentionMinutes: z.int().meta({
      description: 'How long committed offsets are kept after their last use. Kafka’s `offsets.retention.minutes`.',
    }),
    deletionProtection: z.boolean(),
    confirmAgentAddresses: z.boolean().meta({
      description: 'Whether agents with an address that is new to the cluster wait for a confirmation.',
    }),
    confirmAgentAddressesFrom: instant.nullable().meta({
      description: 'From when on. Until then, addresses are learned. Null: a day after the first agent registers.',
    }),
    createdAt: instant,
    deletedAt: instant.nullable(),
    purgeAt: instant
      .nullable()
      .meta({ description: 'When a deleted cluster is permanently deleted. Null if the cluster isn’t deleted.' }),
  })
  .meta({
    id: 'Cluster',
    example: {
      id: exampleIds.cluster,
      name: 'orders',
      cloud: 'aws',
      region: 'eu-central-1',
      autoCreateTopics: true,
      defaultPartitions: 12,
      offsetsRetentionMinutes: 10_080,
      deletionProtection: false,
      confirmAgentAddresses: true,
      confirmAgentAddressesFrom: '2026-11-03T09:35:00.000Z',
      createdAt: '2026-11-02T09:30:00.000Z',
      deletedAt: null,
      purgeAt: null,
    },
  });

const partitionSchema = z
  .object({
    partition: z.int(),
    logStartOffset: z.number(),
    highWatermark: z.number(),
    storedBytes: z.number(),
  })
  .meta({ id: 'Partition' });

export const topicSchema = z
  .object({
    topicId: z.uuid(),
    name: z.string(),
    createdAtMs: z.number().meta({ description: 'Milliseconds since the Unix epoch.' }),
    configs: z.array(z.object({ name: z.string(), value: z.string() })),
    partitions: z.array(partitionSchema),
    records: z.number().meta({ description: 'Records that can still be read.' }),
    storedBytes: z.number(),
  })
  .meta({
    id: 'Topic',
    example: {
      topicId: exampleIds.cluster,
      name: 'greetings',
      createdAtMs: 1_795_000_000_000,
      configs: [{ name: 'retention.ms', value: '604800000' }],
      partitions: [{ partition: 0, logStartOffset: 0, highWatermark: 42, storedBytes: 4_096 }],
      records: 42,
      storedBytes: 4_096,
    },
  });

export const browseTokenSchema = z
  .object({
    token: z.string().meta({ description: 'The token of the first agent in the list.' }),
    expiresAtMs: z.number().meta({ description: 'Milliseconds since the Unix epoch.' }),
    agents: z.array(
      z.object({ agentId: z.string(), nodeId: z.int(), zone: z.string(), url: z.string(), token: z.string() }),
    ),
  })
  .meta({
    id: 'BrowseToken',
    example: {
      token: 'eyJhbGciOiJFZERTQSJ9.…',
      expiresAtMs: 1_795_000_030_000,
      agents: [
        {
          agentId: 'agent-1',
          nodeId: 1,
          zone: 'eu-central-1a',
          url: 'https://records.example.com',
          token: 'eyJhbGciOiJFZERTQSJ9.…',
        },
      ],
    },
  });

export const createdTopicSchema = z
  .object({ name: z.string(), partitions: z.int() })
  .meta({ id: 'CreatedTopic', example: { name: 'greetings', partitions: 12 } });

export const groupSchema = z
  .object({
    groupId: z.string(),
    state: z.string().meta({ description: 'Kafka’s group state, such as Stable or Empty.' }),
    protocolType: z.string(),
    protocolName: z.string(),
    members: z.array(
      z.object({
        memberId: z.string(),
        clientId: z.string(),
        clientHost: z.string(),
        groupInstanceId: z.string().nullable(),
      }),
    ),
    offsets: z.array(
      z.object({
        topic: z.string(),
        partition: z.int(),
        committedOffset: z.number(),
        lagRecords: z.number(),
        lagSeconds: z.number().nullable().meta({
          description:
            'Age of the oldest unconsumed record, based on record timestamps and accurate to the agents’ flush interval. Null if records have no timestamps.',
        }),
      }),
    ),
    totalLagRecords: z.number(),
    maxLagSeconds: z.number().nullable().meta({ description: 'Maximum over all partitions.' }),
  })
  .meta({
    id: 'ConsumerGroup',
    example: {
      groupId: 'billing',
      state: 'Stable',
      protocolType: 'consumer',
      protocolName: 'range',
      members: [{ memberId: 'c-1', clientId: 'billing-1', clientHost: '10.0.0.7', groupInstanceId: null }],
      offsets: [{ topic: 'orders', partition: 0, committedOffset: 40, lagRecords: 2, lagSeconds: 1.5 }],
      totalLagRecords: 2,
      maxLagSeconds: 1.5,
    },
  });

export const resetGroupSchema = z
  .object({ partitions: z.int().meta({ description: 'Number of offsets that were set.' }) })
  .meta({ id: 'ResetConsumerGroup', example: { partitions: 12 } });

export const agentSchema = z
  .object({
    agentId: z.string(),
    nodeId: z.int(),
    zone: z.string(),
    version: z.string(),
    advertisedHost: z.string(),
    advertisedPort: z.int(),
    registeredAtMs: z.number(),
    lastSeenMs: z.number(),
    alive: z.boolean(),
    bucket: z.string(),
    messageBrowserUrl: z.string().nullable().meta({
      description: 'URL where browsers can read records from the agent. Null if message browsing is turned off.',
    }),
  })
  .meta({
    id: 'Agent',
    example: {
      agentId: 'agent-1',
      nodeId: 1,
      zone: 'eu-central-1a',
      version: '0.1.0',
      advertisedHost: '10.0.0.7',
      advertisedPort: 9092,
      registeredAtMs: 1_795_000_000_000,
      lastSeenMs: 1_795_000_100_000,
      alive: true,
      bucket: 's3://acme-penstock',
      messageBrowserUrl: null,
    },
  });

export const seriesSchema = z
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

export const usageSchema = z
  .object({
    monthStart: instant,
    monthEnd: instant.meta({ description: 'Exclusive.' }),
    uncompressedBytes: wholeNumber,
    storedBytes: wholeNumber,
    records: wholeNumber,
    files: wholeNumber,
    clusterMinutes: z.int().meta({ description: 'Minutes in which at least one agent of the cluster was alive.' }),
    countedUntil: instant,
  })
  .meta({
    id: 'MonthToDateUsage',
    example: {
      monthStart: '2026-11-01T00:00:00.000Z',
      monthEnd: '2026-12-01T00:00:00.000Z',
      uncompressedBytes: '73014444032',
      storedBytes: '14602888806',
      records: '61000000',
      files: '182000',
      clusterMinutes: 29_400,
      countedUntil: '2026-11-21T15:04:00.000Z',
    },
  });
