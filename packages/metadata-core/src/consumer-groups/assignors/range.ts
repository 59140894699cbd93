// The assignor `range`: each topic is divided into consecutive ranges, one per subscriber. Members with the same subscription get the same
// partition numbers of topics of the same size. Static members come first, in the order of their instance ids, so that a restart under a new
// member id changes nothing.
import type { IdKey } from '../../model/ids.ts';
import {
  type Assignment,
  type AssignmentInput,
  type AssignmentMember,
  type AssignmentSteps,
  WorkMeter,
} from './assignment.ts';

export function* assignRanges({ members, topics }: AssignmentInput): AssignmentSteps {
  const meter = new WorkMeter();
  const subscribers = new Map<IdKey, number>();
  for (const member of members) {
    for (const topic of member.topics) {
      subscribers.set(topic, (subscribers.get(topic) ?? 0) + 1);
    }
    if (meter.spend(1 + member.topics.length)) {
      yield;
    }
  }
  const assignment: Assignment = members.map(() => new Map());
  const order = [...members.entries()].sort(([, a], [, b]) => compareMembers(a, b));
  const given = new Map<IdKey, { members: number; partitions: number }>();
  for (const [at, member] of order) {
    for (const topic of member.topics) {
      const before = given.get(topic) ?? { members: 0, partitions: 0 };
      const partitions = topics.get(topic) ?? 0;
      const sharers = subscribers.get(topic) ?? 1;
      const extra = before.members < partitions % sharers ? 1 : 0;
      const size = Math.floor(partitions / sharers) + extra;
      given.set(topic, { members: before.members + 1, partitions: before.partitions + size });
      if (size > 0) {
        assignment[at]?.set(
          topic,
          Array.from({ length: size }, (_, number) => before.partitions + number),
        );
      }
      if (meter.spend(1 + size)) {
        yield;
      }
    }
  }
  return assignment;
}

function compareMembers(a: AssignmentMember, b: AssignmentMember): number {
  if (a.instanceId !== null && b.instanceId !== null) {
    return compareTexts(a.instanceId, b.instanceId);
  }
  if (a.instanceId !== null || b.instanceId !== null) {
    return a.instanceId === null ? 1 : -1;
  }
  return compareTexts(a.memberId, b.memberId);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
