// InitProducerId: a new producer id for each call, as a Kafka broker does for producers without a transactional id.

import type { InitProducerId } from '../model/data.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { ID_BYTES, idKey } from '../model/ids.ts';
import { ANSWER_MEMORY_MS, MAX_REMEMBERED_GRANTS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, expireOldest } from '../state/cluster-state.ts';
import { noteGrant } from '../state/producer-id-marks.ts';

export function initProducerId(
  state: ClusterState,
  command: InitProducerId,
  nowMs: number,
): Outcome<'init-producer-id'> {
  if (command.requestId.length !== ID_BYTES) {
    return unchanged({ errorCode: ErrorCode.INVALID_REQUEST, producerId: -1, producerEpoch: -1 });
  }
  const key = idKey(command.requestId);
  const granted = state.producerIdGrants.get(key);
  if (granted !== undefined) {
    return unchanged({ errorCode: ErrorCode.NONE, producerId: granted.producerId, producerEpoch: 0 });
  }
  expireOldest(state.producerIdGrants, ({ grantedAtMs }) => grantedAtMs + ANSWER_MEMORY_MS > nowMs);
  expireOldest(state.producerIdGrants, () => state.producerIdGrants.size < MAX_REMEMBERED_GRANTS);
  const producerId = state.nextProducerId;
  state.nextProducerId += 1;
  state.producerIdGrants.set(key, { producerId, grantedAtMs: nowMs });
  noteGrant(state.producerIdMarks, producerId, nowMs);
  return changed({ errorCode: ErrorCode.NONE, producerId, producerEpoch: 0 });
}
