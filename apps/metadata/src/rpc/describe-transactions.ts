import { describeTransactions as describe } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { transactionMessage } from './messages/transactions.ts';

export const describeTransactions: AgentCall<typeof MetadataService.method.describeTransactions> = async (
  { owner },
  request,
) => {
  const transactions = await owner.read((state) => describe(state, request.transactionalIds));
  return { transactions: transactions.map(transactionMessage) };
};
