import { create } from '@bufbuild/protobuf';
import {
  type ClusterState,
  type DescribedTransaction,
  describeTopics,
  type Id,
  idKey,
  listTransactions,
  toSafeInteger,
  transactionalIdsAfter,
} from '@penstock/metadata-core';
import {
  type AdminListTransactionsRequest,
  AdminListTransactionsResponseSchema,
  DescribedTransactionSchema,
  type TopicName,
  TopicNameSchema,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { nextRound } from './answer-in-steps.ts';
import { encodeInSteps, withList } from './long-list.ts';
import { transactionMessage } from './messages/transactions.ts';
import { checkedPage } from './pages.ts';

const TRANSACTIONS = {
  entry: DescribedTransactionSchema,
  fieldNumber: AdminListTransactionsResponseSchema.field.transactions.number,
};

/** AdminListTransactions: a page of transactional ids, or one of them. @throws ConnectError invalid_argument */
export async function listTransactionPageIn(owner: Owner, request: AdminListTransactionsRequest) {
  const filter = { states: new Set(request.states), producerIds: new Set<number>(), minDurationMs: -1 };
  const nowMs = owner.nowMs();
  const topicNames = new Map<string, TopicName>();
  const { wanted, limit } = wantedBy(request);
  let left = limit;
  // Ids that the filter excludes don't count, and take a step's time like others.
  const ids = function* (state: ClusterState): Generator<string> {
    for (const id of wanted(state)) {
      if (left === 0) {
        return;
      }
      yield id;
    }
  };
  const partsOf = (state: ClusterState, id: string) =>
    listTransactions(state, filter, nowMs, [id]).map((transaction) => {
      left -= 1;
      addTopicNames(topicNames, state, transaction);
      return transactionMessage(transaction);
    });
  const unbounded = Number.POSITIVE_INFINITY;
  const transactions = await encodeInSteps({ owner, turn: nextRound }, TRANSACTIONS, ids, partsOf, unbounded);
  return withList(AdminListTransactionsResponseSchema, { topicNames: [...topicNames.values()] }, transactions);
}

function wantedBy(request: AdminListTransactionsRequest) {
  const { transactionalId } = request;
  if (transactionalId !== undefined) {
    return { wanted: () => [transactionalId], limit: 1 };
  }
  const { after, limit } = checkedPage(request.page);
  const startedAtMs = request.afterStartedAtMs < 0n ? null : toSafeInteger(request.afterStartedAtMs);
  const place = after === undefined ? null : { transactionalId: after, startedAtMs };
  return { wanted: (state: ClusterState) => transactionalIdsAfter(state, place), limit };
}

function addTopicNames(names: Map<string, TopicName>, state: ClusterState, { partitions }: DescribedTransaction): void {
  let last: Id | undefined;
  for (const { topicId } of partitions) {
    // Partitions of one topic follow one another.
    if (topicId === last || names.has(idKey(topicId))) {
      continue;
    }
    last = topicId;
    for (const { name } of describeTopics(state, { topicIds: [topicId] })) {
      names.set(idKey(topicId), create(TopicNameSchema, { topicId, name }));
    }
  }
}
