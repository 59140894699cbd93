import { listTransactions as list, toSafeInteger } from '@penstock/metadata-core';
import type { ListTransactionsRequest, MetadataService } from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import type { AgentCall } from './agent-call.ts';
import { transactionMessage } from './messages/transactions.ts';

export const listTransactions: AgentCall<typeof MetadataService.method.listTransactions> = ({ owner }, request) =>
  listTransactionsIn(owner, request);

/** Also used by AdminListTransactions. */
export async function listTransactionsIn(
  owner: Owner,
  { states, producerIds, minDurationMs }: ListTransactionsRequest,
) {
  const filter = { states, producerIds: producerIds.map(toSafeInteger), minDurationMs: toSafeInteger(minDurationMs) };
  const transactions = await owner.read((state) => list(state, filter, owner.nowMs()));
  return { transactions: transactions.map(transactionMessage) };
}
