// DeleteOffsets: removes committed offsets of topics that no member of the group reads.

import { groupSubscriptions } from '../consumer-groups/group-subscriptions.ts';
import { ErrorCode } from '../model/error-code.ts';
import type { DeleteOffsets } from '../model/groups.types.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type ClusterState, groupToChange } from '../state/cluster-state.ts';
import { dropOffset } from '../state/group.ts';

export function deleteOffsets(state: ClusterState, command: DeleteOffsets): Outcome<'delete-offsets'> {
  const group = groupToChange(state, command.groupId);
  if (group === undefined) {
    return unchanged({ errorCode: ErrorCode.GROUP_ID_NOT_FOUND, partitionErrorCodes: [] });
  }
  const subscribed = group.state === 'Empty' ? new Set<string>() : groupSubscriptions(group);
  if (subscribed === null) {
    return unchanged({ errorCode: ErrorCode.NON_EMPTY_GROUP, partitionErrorCodes: [] });
  }
  let deleted = 0;
  const partitionErrorCodes = command.partitions.map(({ topic, partition }) => {
    if (subscribed.has(topic)) {
      return ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC;
    }
    deleted += dropOffset(group, topic, partition) ? 1 : 0;
    // An offset that was not there counts as deleted, if the topic exists.
    return state.topicsByName.get(topic)?.partitions[partition] === undefined
      ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
      : ErrorCode.NONE;
  });
  const answer = { errorCode: ErrorCode.NONE, partitionErrorCodes };
  return deleted === 0 ? unchanged(answer) : changed(answer);
}
