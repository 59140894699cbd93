// Schemas of clusters, topics, groups and agent keys in the public API.
import { clusterMode } from '@penstock/clusters/inputs';
import { z } from 'zod';
import { exampleIds, instant, wholeNumber } from './common.ts';

const clusterExample = {
  id: exampleIds.cluster,
  name: 'orders',
  cloud: 'aws',
  region: 'eu-central-1',
  mode: 'standard',
  autoCreateTopics: true,
  defaultPartitions: 12,
  offsetsRetentionMinutes: 10_080,
  maxUncompressedBatchBytes: 67_108_864,
  deletionProtection: false,
  confirmAgentAddresses: true,
  confirmAgentAddressesFrom: '2026-11-03T09:35:00.000Z',
  allowAgentAdministration: false,
  createdAt: '2026-11-02T09:30:00.000Z',
  deletedAt: null,
  purgeAt: null,
} as const;

export const clusterSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    cloud: z.string(),
    region: z.string(),
    mode: clusterMode.meta({
      description: 'Decides what a cluster-minute costs, and which limits apply. `GET /cluster-modes` lists both.',
    }),
    autoCreateTopics: z.boolean(),
    defaultPartitions: z.int(),
    offsetsRetentionMinutes: z.int().meta({
      description: 'How long committed offsets are kept after their last use. Kafka’s `offsets.retention.minutes`.',
    }),
    maxUncompressedBatchBytes: z.int().meta({
      description:
        'What a compressed batch may decompress to, in bytes, in topics that don’t set `max.uncompressed.batch.bytes`.',
    }),
    deletionProtection: z.boolean(),
    confirmAgentAddresses: z.boolean().meta({
      description: 'Whether agents with an address that is new to the cluster wait for a confirmation.',
    }),
    confirmAgentAddressesFrom: instant.nullable().meta({
      description: 'From when on. Until then, addresses are learned. Null: a day after the first agent registers.',
    }),
    allowAgentAdministration: z.boolean().meta({
      description:
        'Whether agents may change users, ACLs and quotas for Kafka clients that did not sign in with SCRAM. Without it, such clients are refused, so a stolen agent key can’t change them.',
    }),
    createdAt: instant,
    deletedAt: instant.nullable(),
    purgeAt: instant
      .nullable()
      .meta({ description: 'When a deleted cluster is permanently deleted. Null if the cluster isn’t deleted.' }),
  })
  .meta({
    id: 'Cluster',
    example: clusterExample,
  });

export const updatedClusterSchema = z
  .object({
    ...clusterSchema.shape,
    warning: z.string().nullable().meta({
      description:
        'What clients notice of the `mode` in the request. Null: nothing, or the request has no `mode`, or it couldn’t be checked.',
    }),
  })
  .meta({
    id: 'UpdatedCluster',
    example: {
      ...clusterExample,
      mode: 'low-latency',
      warning:
        'No running agent has reported landing buckets. Set --landing-bucket on all agents first. Until then, agents write to the standard bucket.',
    },
  });

const modeOffer = {
  mode: clusterMode,
  name: z.string(),
  usdPerMinute: z.string().meta({ description: 'The price of a cluster-minute.' }),
  usdPerMonth: z.string().meta({
    description: 'The same with an agent alive for all 730 hours of a month. Writes are billed separately.',
  }),
  maxWrittenMibPerSecond: z
    .number()
    .nullable()
    .meta({ description: 'Of bytes before compression, for the whole cluster. Null: not limited by the mode.' }),
  maxPartitions: z.int().nullable().meta({ description: 'Null: not limited by the mode.' }),
};

const devOffer = {
  mode: 'dev',
  name: 'Dev',
  usdPerMinute: '0',
  usdPerMonth: '$0.00',
  maxWrittenMibPerSecond: 10,
  maxPartitions: 1_000,
} as const;

export const clusterModeSchema = z.object(modeOffer).meta({ id: 'ClusterMode', example: devOffer });

export const clusterModePreviewSchema = z
  .object({
    ...modeOffer,
    isCurrent: z.boolean(),
    refusal: z
      .string()
      .nullable()
      .meta({ description: 'Why the cluster can’t be in this mode now, and what to do. Null: it can.' }),
    warning: z.string().nullable().meta({ description: 'What clients would notice. Null: nothing.' }),
  })
  .meta({
    id: 'ClusterModePreview',
    example: {
      ...devOffer,
      isCurrent: false,
      refusal:
        'A Dev cluster has at most 1,000 partitions. This cluster has 1,200. Delete topics first, or choose Standard.',
      warning: null,
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

export const topicConfigSchema = z
  .object({
    name: z.string(),
    value: z.string().meta({ description: 'The value in effect.' }),
    isSet: z.boolean().meta({ description: 'Whether the value is set on the topic. If not, it is the default.' }),
    default: z.string(),
    hasEffect: z.boolean().meta({ description: 'False for configs that are kept and shown, and change nothing.' }),
    meaning: z.string(),
  })
  .meta({
    id: 'TopicConfig',
    example: {
      name: 'segment.index.bytes',
      value: '10485760',
      isSet: false,
      default: '10485760',
      hasEffect: false,
      meaning: 'Has no effect: there are no segments.',
    },
  });

/** The protocol by which a group shares partitions. */
const groupType = z
  .string()
  .meta({ description: 'Kafka’s group type: `Classic`, or `Consumer` for the protocol of KIP-848.' });

export const topicConsumerSchema = z
  .object({
    groupId: z.string(),
    type: groupType,
    state: z.string(),
    members: z.int().meta({ description: 'Members that read a partition of the topic.' }),
    partitions: z.int().meta({ description: 'Partitions of the topic with a committed offset.' }),
    lagRecords: z.number(),
    lagSeconds: z.number().nullable(),
  })
  .meta({
    id: 'TopicConsumer',
    example: {
      groupId: 'billing',
      type: 'Classic',
      state: 'Stable',
      members: 2,
      partitions: 12,
      lagRecords: 2,
      lagSeconds: 1.5,
    },
  });

export const transactionSchema = z
  .object({
    transactionalId: z.string(),
    state: z.string().meta({ description: 'Kafka’s state: Ongoing, Empty, CompleteCommit or CompleteAbort.' }),
    producerId: z.number(),
    producerEpoch: z.int(),
    timeoutMs: z.int().meta({ description: 'A transaction that is open for longer is aborted.' }),
    startedAtMs: z
      .number()
      .nullable()
      .meta({ description: 'Milliseconds since the Unix epoch. Null unless a transaction is open.' }),
    openMs: z.number().nullable().meta({ description: 'How long the transaction has been open.' }),
    updatedAtMs: z
      .number()
      .meta({ description: 'When the producer was initialized, or its last transaction began or ended.' }),
    partitions: z
      .array(z.object({ topic: z.string(), partition: z.int() }))
      .meta({ description: 'Of the open transaction.' }),
    groupIds: z.array(z.string()).meta({ description: 'Groups whose offsets the open transaction commits.' }),
    clientId: z.string(),
    agentId: z.string(),
  })
  .meta({
    id: 'Transaction',
    example: {
      transactionalId: 'billing-1',
      state: 'Ongoing',
      producerId: 1_000,
      producerEpoch: 3,
      timeoutMs: 60_000,
      startedAtMs: 1_795_000_000_000,
      openMs: 4_200,
      updatedAtMs: 1_795_000_000_000,
      partitions: [{ topic: 'invoices', partition: 0 }],
      groupIds: ['billing'],
      clientId: 'billing-service',
      agentId: 'agent-1',
    },
  });

const assignmentSchema = z.array(z.object({ topic: z.string(), partitions: z.array(z.int()) }));

export const groupSchema = z
  .object({
    groupId: z.string(),
    type: groupType,
    state: z.string().meta({ description: 'Kafka’s group state, such as Stable or Empty.' }),
    protocolType: z.string(),
    protocolName: z.string().meta({ description: 'The assignor.' }),
    groupEpoch: z.int().nullable().meta({ description: 'Null in classic groups, as are the epochs of members.' }),
    members: z.array(
      z.object({
        memberId: z.string(),
        clientId: z.string(),
        clientHost: z.string(),
        groupInstanceId: z.string().nullable(),
        assignment: assignmentSchema.meta({ description: 'The partitions that the member reads.' }),
        memberEpoch: z.int().nullable(),
        targetAssignment: assignmentSchema.nullable().meta({
          description:
            'What it is to read once others have given it up. Null in classic groups and when it has all of it.',
        }),
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
      type: 'Classic',
      state: 'Stable',
      protocolType: 'consumer',
      protocolName: 'range',
      groupEpoch: null,
      members: [
        {
          memberId: 'c-1',
          clientId: 'billing-1',
          clientHost: '10.0.0.7',
          groupInstanceId: null,
          assignment: [{ topic: 'orders', partitions: [0] }],
          memberEpoch: null,
          targetAssignment: null,
        },
      ],
      offsets: [{ topic: 'orders', partition: 0, committedOffset: 40, lagRecords: 2, lagSeconds: 1.5 }],
      totalLagRecords: 2,
      maxLagSeconds: 1.5,
    },
  });

const offsetChangesSchema = z.array(
  z.object({
    partition: z.int(),
    before: z.number().nullable().meta({ description: 'The committed offset. Null if there was none.' }),
    after: z.number(),
    lagRecords: z.number().meta({ description: 'Records that are read next, up to the high watermark.' }),
  }),
);

export const resetGroupSchema = z
  .object({
    partitions: z.int().meta({ description: 'Number of offsets that were set.' }),
    changes: offsetChangesSchema,
  })
  .meta({
    id: 'ResetConsumerGroup',
    example: { partitions: 1, changes: [{ partition: 0, before: 40, after: 0, lagRecords: 42 }] },
  });

export const resetGroupPreviewSchema = z
  .object({
    topic: z.string(),
    changes: offsetChangesSchema,
    members: z.int().meta({ description: 'Members of the group. The reset is refused while there are any.' }),
  })
  .meta({
    id: 'ConsumerGroupResetPreview',
    example: {
      topic: 'greetings',
      changes: [{ partition: 0, before: 40, after: 0, lagRecords: 42 }],
      members: 0,
    },
  });

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
    landingZones: z.array(z.string()).nullable().meta({
      description: 'Zones of its landing buckets. Null for an agent of an earlier version, which doesn’t say.',
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
      landingZones: [],
    },
  });

export const metadataMemorySchema = z
  .object({
    accounts: z
      .array(
        z.object({
          name: z.string().meta({
            description:
              '`groups`, `offsets`, `transactions`, `topics` or `producers` of this cluster, or `organization`: all clusters of the organization that share a process of the metadata service with it.',
          }),
          heldBytes: z.int(),
          limitBytes: z.int(),
        }),
      )
      .meta({ description: 'Empty if the metadata service is of an earlier version.' }),
    refusal: z
      .object({
        atMs: z.number(),
        reason: z.string(),
        calls: z.int().meta({ description: 'Calls refused since the metadata service opened the cluster.' }),
      })
      .nullable()
      .meta({ description: 'The latest call that a limit refused. Null: there was none.' }),
  })
  .meta({
    id: 'MetadataMemory',
    example: {
      accounts: [
        { name: 'groups', heldBytes: 1_482_300, limitBytes: 268_435_456 },
        { name: 'offsets', heldBytes: 90_112, limitBytes: 268_435_456 },
      ],
      refusal: null,
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
