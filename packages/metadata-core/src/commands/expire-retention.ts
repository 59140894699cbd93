// ExpireRetention: forgets what expires by time in the whole cluster: answers, grants of producer ids, agents that left, transactional ids.
// Before rules level 6 it also removes runs and producers of all partitions at once, as ExpireRuns does for some.
import { ANSWER_MEMORY_MS, TRANSACTIONAL_ID_EXPIRATION_MS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { RulesVersion } from '../model/rules.ts';
import { type ClusterState, expireOldest } from '../state/cluster-state.ts';
import { forgetProducer, type Transactions } from '../state/transactions.ts';
import { RunExpiry } from '../topics/run-expiry.ts';
import { forgetLeftAgents } from './agent-left.ts';

export function expireRetention(state: ClusterState, nowMs: number, rules: RulesVersion): Outcome<'expire-retention'> {
  let aged = state.answers.expire(nowMs);
  aged += expireOldest(state.producerIdGrants, ({ grantedAtMs }) => grantedAtMs + ANSWER_MEMORY_MS > nowMs);
  aged += forgetLeftAgents(state, nowMs);
  aged += forgetIdleTransactionalIds(state.transactions, nowMs);
  const expiry = new RunExpiry(state, nowMs, rules, Number.POSITIVE_INFINITY);
  if (rules < 6) {
    for (const topic of state.topics.values()) {
      expiry.expireAll(topic, topic.partitions.keys());
    }
  }
  const { droppedRuns, truncated, forgottenProducers } = expiry;
  if (droppedRuns === 0) {
    return aged + forgottenProducers === 0 ? unchanged({ droppedRuns }) : changed({ droppedRuns });
  }
  return changed({ droppedRuns }, { truncated });
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
