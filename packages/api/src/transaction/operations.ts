// Transactions of a cluster’s producers.
import * as clusters from '@penstock/clusters';
import { transactionStates } from '@penstock/clusters/inputs';
import { z } from 'zod';
import { keyName } from '../operation/cursor.ts';
import { DAILY_WORK } from '../operation/reasons.ts';
import { not, operations } from '../trpc/operations.ts';

const { list, mutation, query } = operations('Transactions', { isNulAllowed: true });

const transactionSchema = z
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

/** `state`: Kafka's name; all producers if omitted. */
const listTransactionsInput = z.object({ clusterId: z.uuid(), state: z.enum(transactionStates).optional() });

const transactionalId = z.string().min(1).max(10_000);

const getTransactionInput = z.object({ clusterId: z.uuid(), transactionalId });

/** `confirmation`: the exact transactional ID, typed by the user. */
const abortTransactionInput = getTransactionInput.extend({ confirmation: z.string().max(10_000) });

/** Short enough for a URL in any encoding. */
const transactionInPath = z.object({ transactionalId: z.string().min(1).max(500) });

export const transactionOperations = {
  list: list({
    access: 'cluster:read',
    input: listTransactionsInput,
    key: z.tuple([z.int().min(0).nullable(), keyName]),
    run: ({ ctx, input, slice }) => clusters.listTransactions(ctx.reading, ctx.backend.metadata, { ...input, slice }),
    keyOf: (transaction) => clusters.keyOfTransaction(transaction),
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/transactions',
        id: 'listTransactions',
        summary: 'List transactional producers and their open transactions',
        description:
          'Open transactions come first, the longest open one first. Consumers at `read_committed` wait at the first record of an open transaction.',
        schema: transactionSchema,
      }),
  }),
  get: query({
    access: 'cluster:read',
    input: getTransactionInput,
    run: ({ ctx, input }) => clusters.getTransaction(ctx.reading, ctx.backend.metadata, input),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/transactions/{transactionalId}',
        id: 'getTransaction',
        summary: 'Get a transactional producer and its open transaction',
        extra: transactionInPath,
        schema: transactionSchema,
      }),
  }),
  abort: mutation({
    access: 'topic:write',
    confirmation: not(DAILY_WORK),
    audit: 'transaction.abort',
    input: abortTransactionInput,
    example: { confirmation: 'billing-1' },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.abortTransaction(scope, ctx.backend.metadata, input)),
    rest: ({ none }) =>
      none({
        route: 'POST /clusters/{clusterId}/transactions/{transactionalId}/abort',
        id: 'abortTransaction',
        summary: 'Abort an open transaction and fence its producer',
        description:
          'Consumers at `read_committed` never see its records, and the producer gets an error with its next request. `confirmation` must be the exact transactional ID. You can’t undo this.',
        extra: transactionInPath,
      }),
  }),
};
