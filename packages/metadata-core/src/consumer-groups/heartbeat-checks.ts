// Checks that refuse a ConsumerGroupHeartbeat whatever the group's state, in the order of Kafka 4.3's GroupCoordinatorService.
import type { ConsumerGroupHeartbeat } from '../model/consumer-groups.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import {
  MAX_GROUP_FIELD_CHARS,
  MAX_GROUP_ID_CHARS,
  MAX_REBALANCE_TIMEOUT_MS,
  MAX_REGEX_CHARS,
  MAX_SUBSCRIPTION_CHARS,
} from '../model/limits.ts';
import { STATIC_LEAVE_EPOCH } from '../state/consumer-group.ts';
import { ASSIGNORS, isAssignor } from './assignors/assignors.ts';
import type { Refusal } from './refusal.ts';

/** From this version on members choose their own ids (KIP-1082). */
const FIRST_VERSION_WITH_OWN_IDS = 1;
export const LEAVE_EPOCH = -1;

/** Null when the request may be served. */
export function heartbeatRefusal(command: ConsumerGroupHeartbeat): Refusal | null {
  const { memberEpoch, instanceId, rebalanceTimeoutMs, subscribedTopics, subscribedRegex, serverAssignor } = command;
  if ((command.apiVersion >= FIRST_VERSION_WITH_OWN_IDS || memberEpoch !== 0) && isBlank(command.memberId)) {
    return invalid("MemberId can't be empty.");
  }
  if (isBlank(command.groupId)) {
    return invalid("GroupId can't be empty.");
  }
  if (instanceId !== null && isBlank(instanceId)) {
    return invalid("InstanceId can't be empty.");
  }
  if (command.rackId !== null && isBlank(command.rackId)) {
    return invalid("RackId can't be empty.");
  }
  if (memberEpoch === 0) {
    if (rebalanceTimeoutMs === -1) {
      return invalid('RebalanceTimeoutMs must be provided in first request.');
    }
    if (command.owned === null || command.owned.length > 0) {
      return invalid('TopicPartitions must be empty when (re-)joining.');
    }
    if (subscribedTopics === null && subscribedRegex === null) {
      return invalid('Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.');
    }
  } else if (memberEpoch === STATIC_LEAVE_EPOCH) {
    if (instanceId === null) {
      return invalid("InstanceId can't be null.");
    }
  } else if (memberEpoch < STATIC_LEAVE_EPOCH) {
    return invalid(`MemberEpoch is ${memberEpoch}, but must be greater than or equal to -2.`);
  }
  if (serverAssignor !== null && !isAssignor(serverAssignor)) {
    return {
      errorCode: ErrorCode.UNSUPPORTED_ASSIGNOR,
      errorMessage: `ServerAssignor ${serverAssignor.slice(0, 100)} is not supported. Supported assignors: ${ASSIGNORS.join(', ')}.`,
    };
  }
  return sizeRefusal(command);
}

/** Bounds what a member adds to the state. Kafka has only the size of a request. */
function sizeRefusal(command: ConsumerGroupHeartbeat): Refusal | null {
  const { groupId, rebalanceTimeoutMs, subscribedTopics, subscribedRegex } = command;
  const texts = [
    command.memberId,
    command.newMemberId,
    command.instanceId ?? '',
    command.rackId ?? '',
    command.clientId,
    command.clientHost,
    command.principal,
  ];
  if (groupId.length > MAX_GROUP_ID_CHARS || texts.some((text) => text.length > MAX_GROUP_FIELD_CHARS)) {
    return invalid(`An id, a host or a principal has more than ${MAX_GROUP_FIELD_CHARS} characters.`);
  }
  if (!(rebalanceTimeoutMs >= -1 && rebalanceTimeoutMs <= MAX_REBALANCE_TIMEOUT_MS)) {
    return invalid(`RebalanceTimeoutMs is not between 0 and ${MAX_REBALANCE_TIMEOUT_MS}.`);
  }
  let chars = 0;
  for (const topic of subscribedTopics ?? []) {
    chars += topic.length;
  }
  if (chars > MAX_SUBSCRIPTION_CHARS || (subscribedTopics?.length ?? 0) > MAX_SUBSCRIPTION_CHARS) {
    return invalid(`The names of the subscribed topics have more than ${MAX_SUBSCRIPTION_CHARS} characters.`);
  }
  return subscribedRegex !== null && subscribedRegex.length > MAX_REGEX_CHARS
    ? {
        errorCode: ErrorCode.INVALID_REGULAR_EXPRESSION,
        errorMessage: `SubscribedTopicRegex has more than ${MAX_REGEX_CHARS} characters.`,
      }
    : null;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function invalid(errorMessage: string): Refusal {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage };
}
