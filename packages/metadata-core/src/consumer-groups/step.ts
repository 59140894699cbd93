// One step of a member: what a heartbeat, or a JoinGroup of a classic consumer, changes in its group. Planned first, so that a step that changes
// nothing leaves the state as it is.
import type { GroupChanges } from '../groups/group-changes.ts';
import type { IdKey } from '../model/ids.ts';
import { beforeChange, type ClusterState, placeGroup } from '../state/cluster-state.ts';
import {
  forgetUnusedRegexes,
  NO_TARGET,
  removeConsumerMember,
  setConsumerMember,
  setTarget,
} from '../state/consumer-group.ts';
import type { ConsumerMember, ConsumerProtocol, Group } from '../state/group.types.ts';
import { takeOver } from './migration.ts';
import { reconcile } from './reconcile.ts';
import { bumpGroupEpoch, haveTopicsChanged, subscribesTo } from './subscriptions.ts';

/** A group of the new protocol. Until its first step it may not be part of the state, or may be a classic one there. */
export interface Found {
  readonly group: Group;
  readonly consumer: ConsumerProtocol;
}

export interface StepInput extends Found {
  /** The member before the request; an empty one for a new member. */
  readonly before: ConsumerMember;
  /** The member with the changes from the request. */
  readonly updated: ConsumerMember;
  /** The static member whose place it takes; null: none. */
  readonly replaces: ConsumerMember | null;
  /** The partitions that it claims to own; null if it did not say. */
  readonly owned: ReadonlyMap<IdKey, readonly number[]> | null;
}

export interface Step extends StepInput {
  readonly after: ConsumerMember;
  /** A new assignment is due. */
  readonly isDue: boolean;
  readonly isChanged: boolean;
}

export function planStep(state: ClusterState, input: StepInput, nowMs: number): Step {
  const { consumer, before, updated, replaces, owned } = input;
  const hasSubscriptionChanged =
    !sameTexts(before.subscribedTopics, updated.subscribedTopics) || before.subscribedRegex !== updated.subscribedRegex;
  const after = reconcile(updated, {
    assignmentEpoch: consumer.assignmentEpoch,
    target: consumer.target.get((replaces ?? updated).memberId) ?? NO_TARGET,
    owners: consumer.owners,
    owned,
    hasSubscriptionChanged,
    isSubscribed: (key) => {
      const topic = state.topics.get(key);
      return topic !== undefined && subscribesTo(updated, consumer.regexes, topic.name);
    },
    nowMs,
  });
  const isNew = !consumer.members.has(after.memberId);
  const isDue = (isNew && replaces === null) || hasSubscriptionChanged || haveTopicsChanged(state, consumer);
  const isChanged = isNew || isDue || after !== updated || !sameFields(before, updated);
  return { ...input, after, isDue, isChanged };
}

export function takeStep(state: ClusterState, step: Step, nowMs: number, changes: GroupChanges): void {
  const { group, consumer, replaces, after } = step;
  if (state.groups.has(group.groupId)) {
    beforeChange(state, group);
  }
  if (group.consumer === null) {
    takeOver(group, consumer, changes);
  }
  placeGroup(state, group);
  if (replaces !== null) {
    const target = consumer.target.get(replaces.memberId);
    removeConsumerMember(group, consumer, replaces.memberId, nowMs);
    if (replaces.memberId !== after.memberId) {
      changes.end(replaces.memberId);
    }
    setTarget(consumer, after.memberId, target ?? NO_TARGET);
  }
  setConsumerMember(group, consumer, after);
  forgetUnusedRegexes(consumer);
  if (step.isDue) {
    bumpGroupEpoch(state, group, consumer, nowMs);
  }
}

function sameFields(a: ConsumerMember, b: ConsumerMember): boolean {
  return (
    a.instanceId === b.instanceId &&
    a.rackId === b.rackId &&
    a.clientId === b.clientId &&
    a.clientHost === b.clientHost &&
    a.principal === b.principal &&
    a.rebalanceTimeoutMs === b.rebalanceTimeoutMs &&
    a.assignor === b.assignor &&
    a.classic === b.classic
  );
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, at) => text === b[at]));
}
