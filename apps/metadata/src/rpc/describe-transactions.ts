import { describeTransactions as describe } from '@penstock/metadata-core';
import {
  DescribedTransactionSchema,
  DescribeTransactionsResponseSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { transactionMessage } from './messages/transactions.ts';

const TRANSACTIONS = {
  entry: DescribedTransactionSchema,
  fieldNumber: DescribeTransactionsResponseSchema.field.transactions.number,
};

export const describeTransactions: AgentCall<typeof MetadataService.method.describeTransactions> = async (
  context,
  request,
) => {
  const transactions = await encodeInSteps(context, TRANSACTIONS, request.transactionalIds, (state, transactionalId) =>
    describe(state, [transactionalId]).map(transactionMessage),
  );
  return withList(DescribeTransactionsResponseSchema, {}, transactions);
};
