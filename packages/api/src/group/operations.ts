import * as clusters from '@penstock/clusters';
import { z } from 'zod';
import { keyName } from '../operation/cursor.ts';
import { DAILY_WORK } from '../operation/reasons.ts';
import { groupType } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { resetOffsetsInput } from './inputs.ts';

const { list, mutation, query } = operations('Consumer groups', { isNulAllowed: true });

/** The protocol by which a group shares partitions. */
const assignmentSchema = z.array(z.object({ topic: z.string(), partitions: z.array(z.int()) }));

const groupSchema = z
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

const resetGroupSchema = z
  .object({
    partitions: z.int().meta({ description: 'Number of offsets that were set.' }),
    changes: offsetChangesSchema,
  })
  .meta({
    id: 'ResetConsumerGroup',
    example: { partitions: 1, changes: [{ partition: 0, before: 40, after: 0, lagRecords: 42 }] },
  });

const resetGroupPreviewSchema = z
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

/** `confirmation`: the group's exact id, typed by the user. */
const deleteGroupInput = z.object({
  clusterId: z.uuid(),
  groupId: z.string().min(1).max(10_000),
  confirmation: z.string().max(10_000),
});

/** Short enough for a URL in any encoding. */
const groupInPath = z.object({ groupId: z.string().min(1).max(500) });

export const groupOperations = {
  list: list({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid() }),
    key: z.tuple([keyName]),
    run: ({ ctx, input, slice }) =>
      ctx.run((scope) => clusters.listGroups(scope, ctx.backend.metadata, { ...input, slice })),
    keyOf: ({ groupId }) => [groupId],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/consumer-groups',
        id: 'listConsumerGroups',
        summary: 'List consumer groups with their lag',
        schema: groupSchema,
      }),
  }),
  get: query({
    access: 'cluster:read',
    input: z.object({ clusterId: z.uuid(), ...groupInPath.shape }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.getGroup(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/consumer-groups/{groupId}',
        id: 'getConsumerGroup',
        summary: 'Get a consumer group with its members, committed offsets and lag by partition',
        schema: groupSchema,
      }),
  }),
  previewReset: query({
    access: 'cluster:read',
    input: resetOffsetsInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.previewResetOffsets(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/consumer-groups/{groupId}/reset-preview',
        id: 'previewConsumerGroupReset',
        summary: 'Show what a reset of a group’s offsets would change',
        description: 'Takes the inputs of the reset and changes nothing. Allowed while the group has members.',
        extra: groupInPath,
        schema: resetGroupPreviewSchema,
      }),
  }),
  resetOffsets: mutation({
    access: 'topic:write',
    confirmation: not(DAILY_WORK),
    audit: 'group.reset-offsets',
    input: resetOffsetsInput,
    example: { topic: 'greetings', to: 'earliest' },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.resetOffsets(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/consumer-groups/{groupId}/reset',
        id: 'resetConsumerGroup',
        summary: 'Reset a group’s offsets for a topic',
        description:
          'The group must have no members. `to` is the beginning, the end, a time (`timeMs`), an offset (`offset`, `partition`), or a shift of each committed offset by a number of records (`shiftBy`). With `partition`, only that one is reset.',
        extra: groupInPath,
        schema: resetGroupSchema,
      }),
  }),
  delete: mutation({
    access: 'topic:write',
    confirmation: not(DAILY_WORK),
    audit: 'group.delete',
    input: deleteGroupInput,
    run: ({ ctx, input }) => ctx.run((scope) => clusters.deleteGroup(scope, ctx.backend.metadata, input)),
    rest: ({ none }) =>
      none({
        route: 'DELETE /clusters/{clusterId}/consumer-groups/{groupId}',
        id: 'deleteConsumerGroup',
        summary: 'Delete a consumer group and its committed offsets',
        description:
          'The group must have no members. `confirmation` must be the exact ID of the group. You can’t undo this.',
        extra: groupInPath,
      }),
  }),
};
