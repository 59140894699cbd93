import * as clusters from '@penstock/clusters';
import { keyOfText } from '@penstock/tenancy';
import { z } from 'zod';
import { keyName } from '../operation/cursor.ts';
import { DAILY_WORK } from '../operation/reasons.ts';
import { exampleIds, groupType } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { createTopicInput, updateTopicInput } from './inputs.ts';

const { list, listInMemory, mutation, query } = operations('Topics');

const partitionSchema = z
  .object({
    partition: z.int(),
    logStartOffset: z.number(),
    highWatermark: z.number(),
    storedBytes: z.number(),
  })
  .meta({ id: 'Partition' });

const topicSchema = z
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

const browseTokenSchema = z
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

const createdTopicSchema = z
  .object({ name: z.string(), partitions: z.int() })
  .meta({ id: 'CreatedTopic', example: { name: 'greetings', partitions: 12 } });

const topicConfigSchema = z
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

const topicConsumerSchema = z
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

/** `confirmation`: the topic's exact name, typed by the user. */
const deleteTopicInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
  confirmation: z.string().max(249),
});

export const topicOperations = {
  list: list({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    key: z.tuple([keyName]),
    run: ({ ctx, input, slice }) =>
      ctx.run((scope) => clusters.listTopics(scope, ctx.backend.metadata, { ...input, slice })),
    keyOf: ({ name }) => [name],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/topics',
        id: 'listTopics',
        summary: 'List topics with their partitions',
        schema: topicSchema,
      }),
  }),
  create: mutation({
    access: 'topic:write',
    confirmation: not(DAILY_WORK),
    audit: 'topic.create',
    input: createTopicInput,
    example: { name: 'greetings', partitions: 12 },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.createTopic(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/topics',
        id: 'createTopic',
        summary: 'Create a topic',
        status: 201,
        schema: createdTopicSchema,
      }),
  }),
  get: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid(), name: z.string().min(1).max(249) }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.getTopic(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/topics/{name}',
        id: 'getTopic',
        summary: 'Get a topic with its partitions',
        schema: topicSchema,
      }),
  }),
  configs: listInMemory({
    access: 'cluster:read',
    input: z.object({
      clusterId: z.uuid(),
      name: z.string().min(1).max(249),
    }),
    key: z.tuple([keyName]),
    run: ({ ctx, input }) => clusters.listTopicConfigs(ctx.reading, ctx.backend, input),
    keyOf: ({ name }) => [name],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/topics/{name}/configuration',
        id: 'listTopicConfigs',
        summary: 'List all configs of a topic with their meaning',
        description: 'Says of each whether it has an effect. Others are kept for Kafka’s tools, and change nothing.',
        schema: topicConfigSchema,
      }),
  }),
  consumers: listInMemory({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid(), name: z.string().min(1).max(1_000) }),
    key: z.tuple([z.number(), keyName]),
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'consumers' }),
    keyOf: ({ lagRecords, groupId }) => [-lagRecords, keyOfText(groupId)],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/topics/{name}/consumers',
        id: 'listTopicConsumers',
        summary: 'List the consumer groups that read a topic, with their lag',
        description: 'Groups with members or committed offsets on the topic, the furthest behind first.',
        schema: topicConsumerSchema,
      }),
  }),
  update: mutation({
    access: 'topic:write',
    confirmation: 'for-deleting-records',
    audit: 'topic.alter-configs',
    input: updateTopicInput,
    example: { configs: { 'retention.ms': '604800000' } },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.alterTopicConfigs(scope, ctx.backend.metadata, input)),
    rest: ({ none }) =>
      none({
        route: 'PATCH /clusters/{clusterId}/topics/{name}',
        id: 'updateTopic',
        summary: 'Change the configuration of a topic',
        description:
          '`configs` uses Kafka’s config names. Send null to restore a default. All configs change, or none.',
      }),
  }),
  createBrowseToken: mutation({
    access: 'record:read',
    confirmation: not('It reads, and ends with the session or after minutes.'),
    audit: 'topic.browse',
    input: z.object({
      clusterId: z.uuid(),
      name: z.string().min(1).max(249),
    }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.createBrowseToken(scope, ctx.backend, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/topics/{name}/browse-tokens',
        id: 'createBrowseToken',
        summary: 'Create a token to read a topic’s records from agents',
        description:
          'Each agent has a token, which expires after 30 seconds. Send it in the authorization header of `POST {url}/v1/records`, with the address of the dashboard in the origin header. An agent refuses the token of another address. Records never pass through this API. Agents serve records only if their operator allows it (`--message-browser`).',
        status: 201,
        schema: browseTokenSchema,
      }),
  }),
  delete: mutation({
    access: 'topic:write',
    confirmation: 'always',
    audit: 'topic.delete',
    input: deleteTopicInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.deleteTopic(scope, ctx.backend.metadata, input)),
    rest: ({ none }) =>
      none({
        route: 'DELETE /clusters/{clusterId}/topics/{name}',
        id: 'deleteTopic',
        summary: 'Delete a topic and all its records',
        description: '`confirmation` must be the exact name of the topic. You can’t undo this.',
      }),
  }),
};
