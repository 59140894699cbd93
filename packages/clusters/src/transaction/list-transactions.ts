// The transactional producers of a cluster, from its owner.
import { notFound } from '@penstock/platform';
import type { ReadScope, Slice } from '@penstock/tenancy';
import { getCluster } from '../cluster/get-cluster.ts';
import { LONGEST_PAGE, type MetadataAdmin, type TransactionsNow } from '../metadata/metadata-admin.ts';
import { type Transaction, toTransaction } from './transaction.ts';
import type { TransactionState } from './transaction-state.ts';

/** Orders the list: when the open transaction began, or null, which is later than all times; then the transactional id. */
export type TransactionKey = readonly [startedAtMs: number | null, transactionalId: string];

/**
 * Open transactions first, the longest open one first; then the others by id.
 * @param input.state only producers in this state; all if omitted
 * @param input.slice undefined for all
 * @throws AppError `cluster_not_found`, `metadata_unavailable`
 */
export async function listTransactions(
  scope: ReadScope,
  metadata: Pick<MetadataAdmin, 'listTransactions'>,
  input: { clusterId: string; state?: TransactionState | undefined; slice: Slice<TransactionKey> | undefined },
): Promise<Transaction[]> {
  const { id: clusterId } = await getCluster(scope, input);
  const states = input.state === undefined ? [] : [input.state];
  const read = async (after: TransactionKey | undefined, limit: number) => {
    const page = { after: after?.[1], afterStartedAtMs: after?.[0] ?? null, limit, states };
    return transactionsOf(scope, await metadata.listTransactions(clusterId, page));
  };
  if (input.slice !== undefined) {
    return read(input.slice.after, input.slice.limit);
  }
  const all: Transaction[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await read(last === undefined ? undefined : keyOfTransaction(last), LONGEST_PAGE);
    all.push(...page);
    if (page.length < LONGEST_PAGE) {
      return all;
    }
  }
}

/** The key that orders the list. */
export function keyOfTransaction({ startedAtMs, transactionalId }: Transaction): [number | null, string] {
  return [startedAtMs, transactionalId];
}

/** @throws AppError `cluster_not_found`, `transaction_not_found`, `metadata_unavailable` */
export async function getTransaction(
  scope: ReadScope,
  metadata: Pick<MetadataAdmin, 'findTransaction'>,
  input: { clusterId: string; transactionalId: string },
): Promise<Transaction> {
  const { id: clusterId } = await getCluster(scope, input);
  const [found] = transactionsOf(scope, await metadata.findTransaction(clusterId, input.transactionalId));
  if (found === undefined) {
    throw notFound('transaction', 'Its producer may have expired. List the transactions of the cluster.');
  }
  return found;
}

function transactionsOf({ now }: ReadScope, { transactions, topicNames }: TransactionsNow): Transaction[] {
  return transactions.map((transaction) => toTransaction(transaction, topicNames, now.getTime()));
}
