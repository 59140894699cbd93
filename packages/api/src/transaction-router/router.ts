import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import { abortTransactionInput, getTransactionInput, listTransactionsInput } from './inputs.ts';

export const transactionRouter = router({
  list: procedure('cluster:read')
    .input(listTransactionsInput)
    .query(({ ctx, input }) => clusters.listTransactions(ctx.reading, ctx.backend, input)),
  get: procedure('cluster:read')
    .input(getTransactionInput)
    .query(({ ctx, input }) => clusters.getTransaction(ctx.reading, ctx.backend, input)),
  abort: procedure('topic:write')
    .input(abortTransactionInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.abortTransaction(scope, ctx.backend.metadata, input))),
});
