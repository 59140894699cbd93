// ExpireRetention: forgets what expires by time in the whole cluster: answers, grants of producer ids, agents that left, transactional ids.
import { ANSWER_MEMORY_MS, TRANSACTIONAL_ID_EXPIRATION_MS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, expireOldest } from '../state/cluster-state.ts';
import { forgetProducer, type Transactions } from '../state/transactions.ts';
import { forgetLeftAgents } from './agent-left.ts';

export function expireRetention(state: ClusterState, nowMs: number): Outcome<'expire-retention'> {
  let aged = state.answers.expire(nowMs);
  aged += expireOldest(state.producerIdGrants, ({ grantedAtMs }) => grantedAtMs + ANSWER_MEMORY_MS > nowMs);
  aged += forgetLeftAgents(state, nowMs);
  aged += forgetIdleTransactionalIds(state.transactions, nowMs);
  return aged === 0 ? unchanged({}) : changed({});
}

function forgetIdleTransactionalIds(transactions: Transactions, nowMs: number): number {
  let forgotten = 0;
  for (const [transactionalId, { open, updatedAtMs }] of transactions.byId) {
    if (open === null && updatedAtMs <= nowMs - TRANSACTIONAL_ID_EXPIRATION_MS) {
      forgetProducer(transactions, transactionalId);
      forgotten += 1;
    }
  }
  return forgotten;
}
