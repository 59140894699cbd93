// Computes the next target assignment of a group from what the state is now, in steps. The result is a command.
import type { InstallTargetAssignment } from '../model/consumer-groups.types.ts';
import { type IdKey, idFromKey, idKey } from '../model/ids.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { NO_TARGET } from '../state/consumer-group.ts';
import type { ConsumerMember, ConsumerProtocol, TopicPartitions } from '../state/group.types.ts';
import { type AssignmentMember, WorkMeter } from './assignors/assignment.ts';
import { ASSIGNORS, type AssignorName, assign, isAssignor } from './assignors/assignors.ts';
import { subscribedNames } from './subscriptions.ts';

export type TargetSteps = Generator<void, InstallTargetAssignment>;

/**
 * Each step takes less than a few milliseconds, and commands may run between two. What they change is not seen: the result is then refused,
 * because the group epoch has moved on. Undefined when the group has its target.
 */
export function computeTarget(state: ClusterState, groupId: string): TargetSteps | undefined {
  const consumer = state.groups.get(groupId)?.consumer;
  if (!consumer || consumer.epoch === consumer.assignmentEpoch || consumer.members.size === 0) {
    return undefined;
  }
  const { epoch, topics } = consumer;
  const members = [...consumer.members.values()];
  const current = members.map(({ memberId }) => consumer.target.get(memberId) ?? NO_TARGET);
  const resolve = topicResolver(state, consumer);
  return steps(groupId, epoch, preferredAssignor(consumer), members, current, topics, resolve);
}

/** The one that most members name; the default if none does. */
export function preferredAssignor({ members }: ConsumerProtocol): AssignorName {
  const votes = new Map<AssignorName, number>();
  for (const { assignor } of members.values()) {
    if (assignor !== null && isAssignor(assignor)) {
      votes.set(assignor, (votes.get(assignor) ?? 0) + 1);
    }
  }
  let winner: AssignorName = ASSIGNORS[0];
  for (const [name, count] of votes) {
    if (count > (votes.get(winner) ?? 0)) {
      winner = name;
    }
  }
  return winner;
}

/** The existing topics that a member subscribes to; the same array for the same ones. */
function topicResolver(state: ClusterState, consumer: ConsumerProtocol): (member: ConsumerMember) => readonly IdKey[] {
  const idByName = new Map<string, IdKey>();
  const names = [...consumer.subscribers.keys(), ...[...consumer.regexes.values()].flatMap(({ topics }) => topics)];
  for (const name of names) {
    const topic = state.topicsByName.get(name);
    if (topic !== undefined) {
      idByName.set(name, idKey(topic.id));
    }
  }
  const regexes = new Map(consumer.regexes);
  const bySubscription = new Map<string, readonly IdKey[]>();
  const byTopics = new Map<string, readonly IdKey[]>();
  return (member) => {
    const subscription = JSON.stringify([member.subscribedTopics, member.subscribedRegex]);
    const known = bySubscription.get(subscription);
    if (known !== undefined) {
      return known;
    }
    const ids = new Set<IdKey>();
    for (const name of subscribedNames(member, regexes)) {
      const topicId = idByName.get(name);
      if (topicId !== undefined) {
        ids.add(topicId);
      }
    }
    const sorted = [...ids].sort();
    const topics = byTopics.get(sorted.join()) ?? sorted;
    byTopics.set(sorted.join(), topics);
    bySubscription.set(subscription, topics);
    return topics;
  };
}

function* steps(
  groupId: string,
  epoch: number,
  assignor: AssignorName,
  members: readonly ConsumerMember[],
  current: readonly TopicPartitions[],
  topics: ReadonlyMap<IdKey, number>,
  resolve: (member: ConsumerMember) => readonly IdKey[],
): TargetSteps {
  const meter = new WorkMeter();
  const specs: AssignmentMember[] = [];
  for (const [at, member] of members.entries()) {
    const subscribed = resolve(member);
    const { memberId, instanceId } = member;
    specs.push({ memberId, instanceId, topics: subscribed, current: current[at] ?? NO_TARGET });
    if (meter.spend(1 + member.subscribedTopics.length)) {
      yield;
    }
  }
  const assignment = yield* assign(assignor, { members: specs, topics });
  const targets: InstallTargetAssignment['targets'] = [];
  for (const [at, { memberId, current: before }] of specs.entries()) {
    const mine = assignment[at] ?? new Map<IdKey, number[]>();
    let size = 1;
    for (const numbers of mine.values()) {
      numbers.sort((a, b) => a - b);
      size += numbers.length;
    }
    if (!sameTarget(before, mine)) {
      targets.push({
        memberId,
        topics: [...mine].map(([topic, partitions]) => ({ topicId: idFromKey(topic), partitions })),
      });
    }
    if (meter.spend(size)) {
      yield;
    }
  }
  return { kind: 'install-target-assignment', groupId, epoch, targets };
}

function sameTarget(a: TopicPartitions, b: TopicPartitions): boolean {
  if (a.size !== b.size) {
    return false;
  }
  for (const [topic, numbers] of a) {
    const others = b.get(topic);
    if (others?.length !== numbers.length || numbers.some((partition, at) => partition !== others[at])) {
      return false;
    }
  }
  return true;
}
