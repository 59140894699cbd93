// CommitTransactionOffsets: Kafka's TxnOffsetCommit. The offsets wait in the transaction, and readers with require_stable wait for them.
import { ErrorCode } from '../model/error-code.ts';
import { MAX_PENDING_OFFSETS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { CommitTransactionOffsets } from '../model/transactions.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { openTransactionOf, pendingOffsetsOf, setPendingOffset } from '../state/transactions.ts';
import { checkProducer, mayOpen } from '../transactions/checks.ts';
import { groupRefusal, offsetRefusal } from './commit-offsets.ts';

export function commitTransactionOffsets(
  state: ClusterState,
  command: CommitTransactionOffsets,
  nowMs: number,
): Outcome<'commit-transaction-offsets'> {
  const { errorCode, producer } = checkProducer(state, command, ErrorCode.INVALID_PRODUCER_EPOCH);
  if (producer === null) {
    return refused(errorCode);
  }
  const { groupId, offsets } = command;
  if (!command.addsGroup && producer.open?.groups.has(groupId) !== true) {
    return refused(ErrorCode.INVALID_TXN_STATE);
  }
  const refusal = groupRefusal(state, command, true);
  if (refusal !== ErrorCode.NONE) {
    return refused(refusal);
  }
  const { counts } = state.transactions;
  if (counts.offsets + offsets.length + 1 > MAX_PENDING_OFFSETS || !mayOpen(state)) {
    return refused(ErrorCode.POLICY_VIOLATION);
  }
  const codes = offsets.map((offset) => offsetRefusal(state, offset));
  const answer = { errorCode: ErrorCode.NONE, offsetErrorCodes: codes.some((code) => code !== 0) ? codes : [] };
  if (!codes.includes(ErrorCode.NONE)) {
    return unchanged(answer);
  }
  const topics = pendingOffsetsOf(counts, openTransactionOf(state.transactions, producer, nowMs), groupId);
  for (const [at, { topic, partition, offset, leaderEpoch, metadata }] of offsets.entries()) {
    if (codes[at] !== ErrorCode.NONE) {
      continue;
    }
    setPendingOffset(counts, topics, topic, partition, { offset, leaderEpoch, metadata });
  }
  return changed(answer);
}

function refused(errorCode: ErrorCode): Outcome<'commit-transaction-offsets'> {
  return unchanged({ errorCode, offsetErrorCodes: [] });
}
