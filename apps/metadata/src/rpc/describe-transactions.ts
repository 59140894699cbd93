import { describeTransactions as describe } from '@penstock/metadata-core';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { transactionMessage } from './messages/transactions.ts';

const PARTITION_BYTES = 24;

export const describeTransactions: AgentCall<typeof MetadataService.method.describeTransactions> = async (
  context,
  request,
) => {
  const transactions = await answerInSteps(
    context,
    request.transactionalIds,
    (state, transactionalId) => describe(state, [transactionalId]),
    (described) =>
      described.reduce(
        (sum, { partitions, groupIds }) =>
          sum + PARTITION_BYTES * partitions.length + groupIds.reduce((chars, { length }) => chars + length, 0),
        0,
      ),
  );
  return { transactions: transactions.flat().map(transactionMessage) };
};
