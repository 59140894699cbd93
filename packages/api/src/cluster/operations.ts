// Clusters, their configuration, and their live state for pages.
import * as billing from '@penstock/billing';
import * as clusters from '@penstock/clusters';
import { clusterMode } from '@penstock/clusters/inputs';
import type { Scope } from '@penstock/tenancy';
import { tracked } from '@trpc/server';
import { z } from 'zod';
import { eventCursor, keyTime } from '../operation/cursor.ts';
import { DAILY_WORK } from '../operation/reasons.ts';
import type { RouteInput } from '../operation/route.ts';
import { exampleIds, instant } from '../operation/shared-schemas.ts';
import { toTrpcError } from '../trpc/errors.ts';
import { not, operations } from '../trpc/operations.ts';
import { createClusterInput, updateClusterInput } from './inputs.ts';

const { list, listInMemory, mutation, query, subscription } = operations('Clusters');

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

const clusterSchema = z
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

const updatedClusterSchema = z
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

const clusterModeSchema = z.object(modeOffer).meta({ id: 'ClusterMode', example: devOffer });

const clusterModePreviewSchema = z
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

const metadataMemorySchema = z
  .object({
    accounts: z.array(
      z.object({
        name: z.string().meta({
          description:
            '`groups`, `offsets`, `transactions`, `topics` or `producers` of this cluster, or `organization`: all clusters of the organization that share a process of the metadata service with it.',
        }),
        heldBytes: z.int(),
        limitBytes: z.int(),
      }),
    ),
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

const readLivePartInput = z.object({ clusterId: z.uuid() });

/** Kafka limits topic names to 249 characters; group ids have no limit. */
const livePartName = z.string().min(1).max(1_000);

const readNamedLivePartInput = readLivePartInput.extend({ name: livePartName });

const kinds = [
  'summary',
  'throughput',
  'agents',
  'topics',
  'groups',
  'topic',
  'group',
  'consumers',
  'health',
  'events',
] as const satisfies clusters.WatchedKind[];

/** More than any page shows at a time. */
const MAX_PARTS = 16;

/** The id before any log event was sent. */
const NO_EVENTS = 'none';

const currentCluster = (scope: Scope, { clusterId }: RouteInput) => clusters.lockCluster(scope, String(clusterId));

/** `confirmation`: the cluster's exact name, typed by the user. */
const deleteClusterInput = z.object({ clusterId: z.uuid(), confirmation: z.string().max(200) });

/** Adds to a page of events the cursor of the next one. */
function withCursor(update: clusters.LiveUpdate): clusters.LiveUpdate {
  return update.state === 'live' && update.kind === 'events'
    ? { ...update, data: eventCursor.page(update.data) }
    : update;
}

export const clusterOperations = {
  list: list({
    access: 'cluster:read',
    isFiltered: true,
    key: z.tuple([keyTime, z.uuid()]),
    run: ({ ctx, slice }) => clusters.listClusters(ctx.reading, ctx.visibleClusters, slice),
    keyOf: ({ createdAt, id }) => [createdAt, id],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters',
        id: 'listClusters',
        summary: 'List clusters',
        schema: clusterSchema,
      }),
  }),
  create: mutation({
    access: 'cluster:write',
    isOrganizationWide: true,
    confirmation: not(DAILY_WORK),
    audit: 'cluster.create',
    input: createClusterInput,
    example: { name: 'orders', cloud: 'aws', region: 'eu-central-1' },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.createCluster(scope, input, billing.assertMayCreateCluster)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters',
        id: 'createCluster',
        summary: 'Create a virtual cluster',
        description:
          'A cluster exists as metadata only. We bill writes and each minute in which at least one agent of the cluster was alive. Without agents, a cluster costs nothing.',
        status: 201,
        schema: clusterSchema,
      }),
  }),
  listDeleted: list({
    access: 'cluster:read',
    isFiltered: true,
    key: z.tuple([keyTime, z.uuid()]),
    run: ({ ctx, slice }) => ctx.run((scope) => clusters.listDeletedClusters(scope, ctx.visibleClusters, slice)),
    keyOf: ({ deletedAt, id }) => [deletedAt ?? new Date(0), id],
    rest: ({ list }) =>
      list({
        route: 'GET /deleted-clusters',
        id: 'listDeletedClusters',
        summary: 'List deleted clusters that can be restored',
        schema: clusterSchema,
      }),
  }),
  get: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    run: ({ ctx, input }) => clusters.getCluster(ctx.reading, input),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}',
        id: 'getCluster',
        summary: 'Get a cluster and its configuration',
        schema: clusterSchema,
      }),
  }),
  update: mutation({
    access: 'cluster:write',
    confirmation: 'for-less-protection',
    audit: ['cluster.rename', 'cluster.update-settings'],
    input: updateClusterInput,
    example: { name: 'orders-eu', defaultPartitions: 24, deletionProtection: true },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.updateCluster(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'PATCH /clusters/{clusterId}',
        id: 'updateCluster',
        summary: 'Rename a cluster or change its configuration',
        description:
          'Changes all the fields that you send, or none. Omitted fields don’t change. A new `mode` applies to agents within seconds, and to the bill from the next minute. A cluster with more partitions than a Dev cluster may have can’t become one. Low latency needs agents with landing buckets: `warning` says so when running agents have none. To see it before the change, use `GET /clusters/{clusterId}/modes`.',
        schema: updatedClusterSchema,
        object: clusterSchema,
        current: currentCluster,
      }),
  }),
  modes: listInMemory({
    access: 'cluster:read',
    isFiltered: true,
    key: z.tuple([z.int()]),
    run: ({ ctx }) => ctx.run(async ({ now }) => clusters.clusterModeOffers(now)),
    keyOf: ({ mode }) => [clusterMode.options.indexOf(mode)],
    rest: ({ list }) =>
      list({
        route: 'GET /cluster-modes',
        id: 'listClusterModes',
        summary: 'List the modes of clusters, with prices and limits',
        schema: clusterModeSchema,
      }),
  }),
  previewModes: listInMemory({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    key: z.tuple([z.int()]),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.previewClusterModes(scope, ctx.backend.metadata, input)),
    keyOf: ({ mode }) => [clusterMode.options.indexOf(mode)],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/modes',
        id: 'previewClusterModes',
        summary: 'Preview what each mode would mean for a cluster',
        description:
          'Compares the limits of each mode with the partitions of the cluster and its writes in the last hour.',
        schema: clusterModePreviewSchema,
      }),
  }),
  delete: mutation({
    access: 'cluster:delete',
    confirmation: 'always',
    audit: 'cluster.delete',
    input: deleteClusterInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.deleteCluster(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'DELETE /clusters/{clusterId}',
        id: 'deleteCluster',
        summary: 'Delete a cluster',
        description: 'It can be restored for 30 days. `confirmation` must be the exact name of the cluster.',
        schema: clusterSchema,
        current: currentCluster,
      }),
  }),
  restore: mutation({
    access: 'cluster:delete',
    confirmation: not(DAILY_WORK),
    audit: 'cluster.restore',
    input: z.object({ clusterId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.restoreCluster(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/restore',
        id: 'restoreCluster',
        summary: 'Restore a deleted cluster',
        schema: clusterSchema,
      }),
  }),
  metadataMemory: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    run: async ({ ctx, input }) =>
      (await ctx.run((scope) => clusters.viewCluster(scope, ctx.backend.metadata, input))).metadataMemory,
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/metadata-memory',
        id: 'getMetadataMemory',
        summary: 'Get the memory that a cluster uses in the metadata service, and its limits',
        schema: metadataMemorySchema,
      }),
  }),
  view: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.viewCluster(scope, ctx.backend.metadata, input)),
    rest: { answeredBy: ['listAgents', 'listTopics', 'listConsumerGroups', 'getMetadataMemory'] },
  }),
  summary: query({
    access: 'cluster:read',
    input: readLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'summary' }),
    rest: { answeredBy: ['listAgents', 'listTopics', 'listConsumerGroups', 'getMetadataMemory'] },
  }),
  throughput: query({
    access: 'cluster:read',
    input: readLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'throughput' }),
    rest: { answeredBy: ['getMetricSeries'] },
  }),
  agents: query({
    access: 'cluster:read',
    input: readLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'agents' }),
    rest: { answeredBy: ['listAgents', 'listAgentReadings'] },
  }),
  topics: query({
    access: 'cluster:read',
    input: readLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'topics' }),
    rest: { answeredBy: ['listTopics'] },
  }),
  groups: query({
    access: 'cluster:read',
    input: readLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'groups' }),
    rest: { answeredBy: ['listConsumerGroups'] },
  }),
  topic: query({
    access: 'cluster:read',
    input: readNamedLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'topic' }),
    rest: { answeredBy: ['getTopic'] },
  }),
  group: query({
    access: 'cluster:read',
    input: readNamedLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'group' }),
    rest: { answeredBy: ['getConsumerGroup'] },
  }),
  consumers: query({
    access: 'cluster:read',
    input: readNamedLivePartInput,
    run: ({ ctx, input }) => ctx.backend.live.snapshot(ctx.reading, { ...input, kind: 'consumers' }),
    rest: { answeredBy: ['listTopicConsumers'] },
  }),
  watch: subscription({
    access: 'cluster:read',
    input: z.object({
      clusterId: z.uuid(),
      /** The parts to subscribe to. */
      parts: z
        .array(z.object({ kind: z.enum(kinds), name: livePartName.optional() }))
        .min(1)
        .max(MAX_PARTS)
        .default([{ kind: 'summary' }]),
      /** Sent by the client itself when it reconnects: the events that it already has. Everything else is sent again. */
      lastEventId: z.string().max(64).nullish(),
    }),
    run: async function* ({ ctx, input }) {
      // Every subscription has one, although its type allows undefined.
      const ending = ctx.ending ?? new AbortController().signal;
      const watched = { ...input, knownEvents: input.lastEventId ?? null };
      let id = input.lastEventId ?? NO_EVENTS;
      try {
        for await (const update of ctx.backend.live.subscribe(ctx.reading, watched, ending)) {
          if (update.state === 'live' && update.kind === 'events') {
            id = update.digest;
          }
          yield tracked(id, withCursor(update));
        }
      } catch (error) {
        // The code tells the client whether to reconnect. After the first event, no middleware adds one.
        throw toTrpcError(error);
      }
    },
    rest: 'A stream of the parts below; streams end with a session, and programs ask again.',
  }),
};
