// InstallTargetAssignment: installs an assignment that was computed in the background. Members move towards it with
// their next heartbeats.

import type { InstallTargetAssignment } from '../model/consumer-groups.types.ts';
import { idKey } from '../model/ids.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { beforeChange, type ClusterState } from '../state/cluster-state.ts';
import { setTarget } from '../state/consumer-group.ts';

export function installTargetAssignment(
  state: ClusterState,
  command: InstallTargetAssignment,
  nowMs: number,
): Outcome<'install-target-assignment'> {
  const group = state.groups.get(command.groupId);
  const consumer = group?.consumer ?? null;
  if (
    group === undefined ||
    consumer === null ||
    consumer.epoch !== command.epoch ||
    consumer.assignmentEpoch === command.epoch ||
    !command.targets.every(({ memberId }) => consumer.members.has(memberId))
  ) {
    return unchanged({ installed: false });
  }
  beforeChange(state, group);
  for (const { memberId, topics } of command.targets) {
    const target = topics.map(
      ({ topicId, partitions }) => [idKey(topicId), partitions.toSorted((a, b) => a - b)] as const,
    );
    setTarget(consumer, memberId, new Map(target));
  }
  consumer.assignmentEpoch = command.epoch;
  consumer.assignedAtMs = nowMs;
  return changed({ installed: true });
}
