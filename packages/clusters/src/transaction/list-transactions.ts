// The transactional producers of a cluster, from its owner.
import { notFound } from '@penstock/platform';
import type { ReadScope } from '@penstock/tenancy';
import { getCluster } from '../cluster/get-cluster.ts';
import type { LiveState } from '../live/live-state.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { byAge, type Transaction, toTransaction } from './transaction.ts';
import type { TransactionState } from './transaction-state.ts';

interface Services {
  metadata: Pick<MetadataAdmin, 'listTransactions'>;
  /** Knows the names of topics. */
  live: Pick<LiveState, 'snapshot'>;
}

/**
 * Open transactions first, the longest open one first.
 * @param input.state only producers in this state; all if omitted
 * @throws AppError `cluster_not_found`, `transactions_unavailable`, `metadata_unavailable`
 */
export async function listTransactions(
  scope: ReadScope,
  { metadata, live }: Services,
  input: { clusterId: string; state?: TransactionState | undefined },
): Promise<Transaction[]> {
  const { id: clusterId } = await getCluster(scope, input);
  const [found, topics] = await Promise.all([
    metadata.listTransactions(clusterId, input.state === undefined ? [] : [input.state]),
    live.snapshot(scope, { clusterId, kind: 'topics' }),
  ]);
  const names = new Map(topics.map(({ topicId, name }) => [topicId, name]));
  return found.map((transaction) => toTransaction(transaction, names, scope.now.getTime())).sort(byAge);
}

/** @throws AppError `cluster_not_found`, `transaction_not_found`, `transactions_unavailable`, `metadata_unavailable` */
export async function getTransaction(
  scope: ReadScope,
  services: Services,
  { clusterId, transactionalId }: { clusterId: string; transactionalId: string },
): Promise<Transaction> {
  const all = await listTransactions(scope, services, { clusterId });
  const found = all.find((transaction) => transaction.transactionalId === transactionalId);
  if (found === undefined) {
    throw notFound('transaction', 'Its producer may have expired. List the transactions of the cluster.');
  }
  return found;
}
