// One step of a member towards its target: the reconciliation of KIP-848, as Kafka 4.3's CurrentAssignmentBuilder does it. A partition is
// given to its next owner only after the one before confirmed that it gave it up.
import type { IdKey } from '../model/ids.ts';
import { NO_PARTITIONS } from '../state/consumer-group.ts';
import type { ConsumerMember, OwnedPartitions, TopicPartitions } from '../state/group.types.ts';

export interface ReconcileInput {
  readonly assignmentEpoch: number;
  /** The member's, of this epoch. */
  readonly target: TopicPartitions;
  /** The partition owners of all members. */
  readonly owners: ReadonlyMap<IdKey, ReadonlyMap<number, string>>;
  /** The partitions that the member claims to own; null if it did not say. */
  readonly owned: ReadonlyMap<IdKey, readonly number[]> | null;
  /** The member's subscription differs from the one in which the target was computed. */
  readonly hasSubscriptionChanged: boolean;
  /** Whether the member subscribes to the topic now. */
  readonly isSubscribed: (topic: IdKey) => boolean;
  readonly nowMs: number;
}

/** The member after one step; the same object when there is none to make. */
export function reconcile(member: ConsumerMember, input: ReconcileInput): ConsumerMember {
  switch (member.state) {
    case 'stable':
      if (member.epoch !== input.assignmentEpoch) {
        return towardsTarget(member, input);
      }
      return input.hasSubscriptionChanged ? withoutUnsubscribed(member, input) : member;
    case 'unrevoked-partitions':
      if (owns(input.owned, member.revoking)) {
        return input.hasSubscriptionChanged ? withoutUnsubscribed(member, input) : member;
      }
      return towardsTarget(member, input);
    case 'unreleased-partitions':
      return towardsTarget(member, input);
  }
}

/** Whether the member still owns any of these partitions, as far as it said. */
function owns(owned: ReconcileInput['owned'], partitions: OwnedPartitions): boolean {
  if (owned === null) {
    return true;
  }
  for (const [topic, numbers] of owned) {
    const here = partitions.get(topic);
    if (here !== undefined && numbers.some((partition) => here.has(partition))) {
      return true;
    }
  }
  return false;
}

/** Takes partitions of topics away to which the member no longer subscribes, without waiting for the next target. */
function withoutUnsubscribed(member: ConsumerMember, input: ReconcileInput): ConsumerMember {
  const kept = new Map<IdKey, ReadonlyMap<number, number>>();
  const lost = new Map<IdKey, ReadonlyMap<number, number>>();
  for (const [topic, numbers] of member.assigned) {
    (input.isSubscribed(topic) ? kept : lost).set(topic, numbers);
  }
  if (lost.size === 0) {
    return member;
  }
  const revoking = union(member.revoking, lost);
  return owns(input.owned, revoking)
    ? revokes(member, kept, revoking, input.nowMs)
    : { ...member, previousEpoch: member.epoch, assigned: kept };
}

function towardsTarget(member: ConsumerMember, input: ReconcileInput): ConsumerMember {
  const { assignmentEpoch, owners } = input;
  const assigned = new Map<IdKey, Map<number, number>>();
  const revoking = new Map<IdKey, Map<number, number>>();
  for (const [topic, numbers] of member.assigned) {
    const wanted = new Set(input.isSubscribed(topic) ? input.target.get(topic) : []);
    for (const [partition, epoch] of numbers) {
      put(wanted.has(partition) ? assigned : revoking, topic, partition, epoch);
    }
  }
  const free: [IdKey, number][] = [];
  let hasUnreleased = false;
  for (const [topic, numbers] of input.target) {
    if (!input.isSubscribed(topic)) {
      continue;
    }
    for (const partition of numbers) {
      if (assigned.get(topic)?.has(partition) === true) {
        continue;
      }
      const owner = owners.get(topic)?.get(partition);
      // What the member itself was about to give up may stay with it.
      const isFree = owner === undefined || member.revoking.get(topic)?.has(partition) === true;
      if (isFree) {
        free.push([topic, partition]);
      } else {
        hasUnreleased = true;
      }
    }
  }
  if (revoking.size > 0 && owns(input.owned, revoking)) {
    return revokes(member, assigned, revoking, input.nowMs);
  }
  for (const [topic, partition] of free) {
    put(assigned, topic, partition, assignmentEpoch);
  }
  return advanced(member, assignmentEpoch, assigned, hasUnreleased, free.length > 0 || revoking.size > 0);
}

/** The member stays in its epoch until it confirms. */
function revokes(
  member: ConsumerMember,
  assigned: OwnedPartitions,
  revoking: OwnedPartitions,
  nowMs: number,
): ConsumerMember {
  return {
    ...member,
    state: 'unrevoked-partitions',
    previousEpoch: member.epoch,
    assigned,
    revoking,
    revocationDeadlineMs: member.classic === null ? nowMs + member.rebalanceTimeoutMs : null,
  };
}

function advanced(
  member: ConsumerMember,
  assignmentEpoch: number,
  assigned: OwnedPartitions,
  hasUnreleased: boolean,
  hasMoved: boolean,
): ConsumerMember {
  const state = hasUnreleased ? 'unreleased-partitions' : 'stable';
  const isSame = !hasMoved && member.epoch === assignmentEpoch && member.state === state && member.revoking.size === 0;
  return isSame
    ? member
    : {
        ...member,
        state,
        epoch: assignmentEpoch,
        previousEpoch: member.epoch,
        assigned,
        revoking: NO_PARTITIONS,
        revocationDeadlineMs: null,
      };
}

function put(to: Map<IdKey, Map<number, number>>, topic: IdKey, partition: number, epoch: number): void {
  let numbers = to.get(topic);
  if (numbers === undefined) {
    numbers = new Map();
    to.set(topic, numbers);
  }
  numbers.set(partition, epoch);
}

function union(a: OwnedPartitions, b: OwnedPartitions): OwnedPartitions {
  const both = new Map(a);
  for (const [topic, numbers] of b) {
    both.set(topic, new Map([...(a.get(topic) ?? []), ...numbers]));
  }
  return both;
}
