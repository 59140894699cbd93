import { listTransactions as list, toSafeInteger } from '@penstock/metadata-core';
import {
  DescribedTransactionSchema,
  ListTransactionsResponseSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { AgentCall } from './agent-call.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { transactionMessage } from './messages/transactions.ts';

const TRANSACTIONS = {
  entry: DescribedTransactionSchema,
  fieldNumber: ListTransactionsResponseSchema.field.transactions.number,
};

export const listTransactions: AgentCall<typeof MetadataService.method.listTransactions> = async (
  { owner, turn },
  { states, producerIds, minDurationMs },
) => {
  const filter = {
    states: new Set(states),
    producerIds: new Set(producerIds.map(toSafeInteger)),
    minDurationMs: toSafeInteger(minDurationMs),
  };
  const transactionalIds = await owner.read((state) => [...state.transactions.byId.keys()]);
  const nowMs = owner.nowMs();
  const transactions = await encodeInSteps({ owner, turn }, TRANSACTIONS, transactionalIds, (state, transactionalId) =>
    list(state, filter, nowMs, [transactionalId]).map(transactionMessage),
  );
  return withList(ListTransactionsResponseSchema, {}, transactions);
};
