// InitTransactionalProducer: Kafka's InitProducerId with a transactional id (KIP-98, KIP-360). An open transaction is aborted in the same
// command, so the answer is final.
import { ErrorCode } from '../model/error-code.ts';
import {
  MAX_AGENT_FIELD_CHARS,
  MAX_CLIENT_ID_CHARS,
  MAX_TRANSACTION_TIMEOUT_MS,
  MAX_TRANSACTIONAL_ID_CHARS,
  MAX_TRANSACTIONAL_IDS,
} from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { InitTransactionalProducer } from '../model/transactions.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { isEpochExhausted, setProducer, type TransactionalProducer } from '../state/transactions.ts';
import { fence, grantProducerId, nextEpoch } from '../transactions/finish.ts';

export function initTransactionalProducer(
  state: ClusterState,
  command: InitTransactionalProducer,
  nowMs: number,
): Outcome<'init-transactional-producer'> {
  const { transactions } = state;
  const refusal = requestRefusal(command);
  if (refusal !== ErrorCode.NONE) {
    return refused(refusal);
  }
  const { transactionalId, timeoutMs } = command;
  const terms = {
    timeoutMs,
    clientId: command.clientId.slice(0, MAX_CLIENT_ID_CHARS),
    agentId: command.agentId.slice(0, MAX_AGENT_FIELD_CHARS),
    state: 'Empty' as const,
    updatedAtMs: nowMs,
    open: null,
  };
  const known = transactions.byId.get(transactionalId);
  if (known === undefined) {
    if (transactions.byId.size >= MAX_TRANSACTIONAL_IDS) {
      return refused(ErrorCode.POLICY_VIOLATION);
    }
    const producerId = grantProducerId(state, nowMs);
    setProducer(transactions, {
      transactionalId,
      producerId,
      producerEpoch: 0,
      previousProducerId: -1,
      lastEpoch: -1,
      ...terms,
    });
    return changed({ errorCode: ErrorCode.NONE, producerId, producerEpoch: 0 });
  }
  const claim = claimOf(known, command);
  if (claim === 'fenced') {
    return refused(ErrorCode.PRODUCER_FENCED);
  }
  const { producerId, producerEpoch } = known;
  if (claim === 'repeated') {
    return unchanged({ errorCode: ErrorCode.NONE, producerId, producerEpoch });
  }
  const markers = known.open === null ? [] : fence(state, known, nowMs);
  const next = nextEpoch(state, known, claim === 'current', nowMs);
  setProducer(transactions, { transactionalId, ...next, ...terms });
  const answer = { errorCode: ErrorCode.NONE, producerId: next.producerId, producerEpoch: next.producerEpoch };
  return changed(answer, markers.length === 0 ? {} : { markers });
}

function refused(errorCode: ErrorCode): Outcome<'init-transactional-producer'> {
  return unchanged({ errorCode, producerId: -1, producerEpoch: -1 });
}

function requestRefusal({ transactionalId, timeoutMs }: InitTransactionalProducer): ErrorCode {
  if (transactionalId === '' || transactionalId.length > MAX_TRANSACTIONAL_ID_CHARS) {
    return ErrorCode.INVALID_REQUEST;
  }
  const isPossible = Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TRANSACTION_TIMEOUT_MS;
  return isPossible ? ErrorCode.NONE : ErrorCode.INVALID_TRANSACTION_TIMEOUT;
}

/**
 * The caller's claim: nothing (a new instance, which takes over), the current epoch, or the previous one, whose
 * response was lost (`repeated`).
 */
function claimOf(
  known: TransactionalProducer,
  { producerId, producerEpoch }: InitTransactionalProducer,
): 'none' | 'current' | 'repeated' | 'fenced' {
  if (producerId < 0 || producerEpoch < 0) {
    return 'none';
  }
  if (producerId === known.producerId && producerEpoch === known.producerEpoch) {
    return 'current';
  }
  const isBefore =
    producerId === known.producerId
      ? producerEpoch + 1 === known.producerEpoch
      : producerId === known.previousProducerId && isEpochExhausted(producerEpoch);
  // Once it has opened a transaction, the holder of the present epoch has had its answer.
  return isBefore && producerEpoch === known.lastEpoch && known.open === null ? 'repeated' : 'fenced';
}
