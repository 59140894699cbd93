// Conditions of commands about producer ids.
import { idKey } from '../model/ids.ts';
import { MAX_REMEMBERED_GRANTS } from '../model/limits.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';

export const initProducerId: Conditions<'init-producer-id'> = (before, state, command, nowMs) => {
  const lastMark = state.producerIdMarks.at(-1);
  atMost(lastMark?.firstId ?? 0, before.nextProducerId - 1, 'the last mark is of a granted producer id');
  return ({ changed, answer }) => {
    const { errorCode, producerId, producerEpoch } = answer;
    if (errorCode !== 0) {
      equal(changed, false, 'a refused producer changes nothing');
      equal(producerId, -1, 'a refused producer has no id');
      equal(producerEpoch, -1, 'a refused producer has no epoch');
      return;
    }
    equal(producerEpoch, 0, 'a new producer begins at epoch 0');
    atMost(producerId, state.nextProducerId - 1, 'a producer id in an answer was granted');
    if (!changed) {
      atLeast(producerId, 1, 'a repeated answer has a producer id');
      return;
    }
    equal(producerId, before.nextProducerId, 'producer ids are granted in order');
    equal(state.nextProducerId, before.nextProducerId + 1, 'one producer id is granted at a time');
    const grant = state.producerIdGrants.get(idKey(command.requestId));
    equal(grant?.producerId, producerId, 'a granted id is kept for retries');
    equal(grant?.grantedAtMs, nowMs, 'a granted id is kept from now on');
    atMost(state.producerIdGrants.size, before.grants + 1, 'a request adds one grant');
    atMost(state.producerIdGrants.size, MAX_REMEMBERED_GRANTS, 'grants are forgotten beyond their limit');
    const mark = state.producerIdMarks.at(-1);
    holds(mark !== undefined, 'a grant leaves a mark', producerId);
    atMost(mark.firstId, producerId, 'the last mark covers the granted id');
  };
};
