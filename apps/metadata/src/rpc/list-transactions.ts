import { listTransactions as list, toSafeInteger } from '@penstock/metadata-core';
import {
  DescribedTransactionSchema,
  type ListTransactionsRequest,
  ListTransactionsResponseSchema,
  type MetadataService,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { type Answering, nextRound } from './answer-in-steps.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { transactionMessage } from './messages/transactions.ts';

const TRANSACTIONS = {
  entry: DescribedTransactionSchema,
  fieldNumber: ListTransactionsResponseSchema.field.transactions.number,
};

export const listTransactions: AgentCall<typeof MetadataService.method.listTransactions> = (context, request) =>
  answered(context, request);

/** Also used by AdminListTransactions. */
export function listTransactionsIn(owner: Owner, request: ListTransactionsRequest) {
  return answered({ owner, turn: nextRound }, request);
}

async function answered(
  { owner, turn }: Answering & { owner: Owner },
  { states, producerIds, minDurationMs }: ListTransactionsRequest,
) {
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
}
