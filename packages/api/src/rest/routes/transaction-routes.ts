// Transactions of a cluster's producers.
import { z } from 'zod';
import { list, none, one, type Route } from '../route.ts';
import { transactionSchema } from '../schemas/cluster-schemas.ts';

/** Short enough for a URL in any encoding. */
const transactionInPath = z.object({ transactionalId: z.string().min(1).max(500) });

export const transactionRoutes: readonly Route[] = [
  list({
    method: 'get',
    path: '/clusters/{clusterId}/transactions',
    id: 'listTransactions',
    tag: 'Transactions',
    summary: 'List transactional producers and their open transactions',
    description:
      'Open transactions come first, the longest open one first. Consumers at `read_committed` wait at the first record of an open transaction.',
    procedure: 'transaction.list',
    schema: transactionSchema,
    select: (transactions) => transactions,
    idOf: ({ transactionalId }) => transactionalId,
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/transactions/{transactionalId}',
    id: 'getTransaction',
    tag: 'Transactions',
    summary: 'Get a transactional producer and its open transaction',
    procedure: 'transaction.get',
    extra: transactionInPath,
    schema: transactionSchema,
    select: (transaction) => transaction,
  }),
  none({
    method: 'post',
    path: '/clusters/{clusterId}/transactions/{transactionalId}/abort',
    id: 'abortTransaction',
    tag: 'Transactions',
    summary: 'Abort an open transaction and fence its producer',
    description:
      'Consumers at `read_committed` never see its records, and the producer gets an error with its next request. `confirmation` must be the exact transactional ID. You can’t undo this.',
    procedure: 'transaction.abort',
    extra: transactionInPath,
    example: { confirmation: 'billing-1' },
  }),
];
