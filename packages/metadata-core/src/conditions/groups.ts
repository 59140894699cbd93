// Conditions of commands about consumer groups of both protocols.

import type { CommandKind } from '../model/command.ts';
import { idKey } from '../model/ids.ts';
import type { GroupEffect, Outcome } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { STATIC_LEAVE_EPOCH } from '../state/consumer-group.ts';
import type { Group } from '../state/group.types.ts';
import { atLeast, atMost, equal, holds } from './compare.ts';
import type { Conditions } from './conditions.types.ts';

/** Checks a group after a command that changed it. Takes the same time for every group. */
function requireGroup(group: Group): void {
  const { groupId, state, members, consumer, offsets } = group;
  atLeast(group.generation, 0, 'a generation is not negative');
  atLeast(group.memberBytes, members.size, 'the bytes of members are counted');
  atLeast(group.offsetBytes, offsets.size, 'the bytes of offsets are counted');
  equal(group.offsetBytes > 0, offsets.size > 0, 'bytes of offsets are there while offsets are');
  atLeast(group.emptySinceMs, 0, 'a group became empty after the epoch');
  if (consumer !== null) {
    requireConsumerGroup(group);
    return;
  }
  equal(group.leaderId === null, members.size === 0, 'there is a leader while there are members');
  holds(group.leaderId === null || members.has(group.leaderId), 'the leader is a member', groupId);
  holds(state !== 'Empty' || members.size === 0, 'an Empty group has no members', groupId);
  holds(state === 'Empty' || members.size > 0 || group.gathering !== null, 'a group without members is Empty', groupId);
  holds(group.gathering === null || state === 'PreparingRebalance', 'members gather in the join phase', state);
  holds(state !== 'PreparingRebalance' || group.deadlineMs !== null, 'the join phase has a deadline', groupId);
  holds(state !== 'CompletingRebalance' || group.deadlineMs !== null, 'the wait for syncs has a deadline', groupId);
  holds(state !== 'Empty' || group.deadlineMs === null, 'an Empty group has no deadline', group.deadlineMs);
  holds(state !== 'Empty' || group.protocolName === null, 'an Empty group has no protocol', group.protocolName);
  holds(state !== 'Stable' || group.protocolName !== null, 'a Stable group has a protocol', groupId);
  holds(members.size === 0 || group.protocolType !== null, 'a group with members has a protocol type', groupId);
  atMost(group.staticMembers.size, members.size, 'a static member is a member');
}

function requireConsumerGroup(group: Group): void {
  const { consumer, groupId } = group;
  if (consumer === null) {
    return;
  }
  const { members, epoch, assignmentEpoch, target, regexes, regexSubscribers, subscribers } = consumer;
  equal(group.members.size, 0, 'a group of the new protocol has no classic members');
  equal(group.pendingMembers.size, 0, 'a group of the new protocol has no pending members');
  equal(group.leaderId, null, 'a group of the new protocol has no leader');
  equal(group.gathering, null, 'a group of the new protocol gathers no members');
  equal(group.state, members.size === 0 ? 'Empty' : 'Stable', 'the state says whether there are members');
  atLeast(epoch, 1, 'the epochs of a group begin at 1');
  atMost(assignmentEpoch, epoch, 'no assignment is ahead of its group');
  atLeast(consumer.assignedAtMs, 0, 'an assignment is computed after the epoch');
  atMost(target.size, members.size, 'a target belongs to a member');
  atMost(consumer.staticMembers.size, members.size, 'an instance id belongs to a member');
  atMost(regexes.size, regexSubscribers.size, 'a resolved expression is used');
  atMost(regexSubscribers.size, members.size, 'an expression belongs to a member');
  atLeast(consumer.memberBytes, members.size, 'the bytes of members of the new protocol are counted');
  holds(members.size > 0 || consumer.owners.size === 0, 'without members nobody owns a partition', groupId);
  holds(members.size > 0 || subscribers.size === 0, 'without members nobody subscribes', groupId);
  holds(members.size > 0 || group.deadlineMs === null, 'without members nothing is waited for', groupId);
}

/** The timers and answers that go out are of members that are there. */
function requireEffect(group: Group, effect: GroupEffect): void {
  const { members, pendingMembers, consumer } = group;
  equal(effect.deadlineMs, group.deadlineMs, 'the published deadline is the one of the group');
  for (const { memberId, sessionTimeoutMs } of effect.sessions) {
    const isHere = members.has(memberId) || pendingMembers.has(memberId) || consumer?.members.has(memberId) === true;
    holds(isHere, 'a session belongs to a member', memberId);
    atLeast(sessionTimeoutMs, 1, 'a session has a timeout');
  }
  for (const memberId of effect.ended) {
    holds(!members.has(memberId), 'a member whose session ended is gone', memberId);
    holds(!pendingMembers.has(memberId), 'an id whose session ended is no longer pending', memberId);
  }
  for (const { answerTo, answer } of effect.joined) {
    holds(answer.errorCode !== 0 || members.has(answerTo) || consumer !== null, 'a joined member is there', answerTo);
    holds(
      answer.errorCode !== 0 || consumer !== null || answer.generationId === group.generation,
      'a joined member is in the generation',
      answer.generationId,
    );
  }
  for (const { answerTo, answer } of effect.synced) {
    holds(answer.errorCode !== 0 || members.has(answerTo) || consumer !== null, 'a synced member is there', answerTo);
  }
}

function requireEffects(state: ClusterState, { effects }: Outcome<CommandKind>): void {
  for (const effect of effects.groups ?? []) {
    const group = state.groups.get(effect.groupId);
    if (group !== undefined) {
      requireGroup(group);
      requireEffect(group, effect);
    }
  }
}

/** The group of a command that changed it. */
function changedGroup(state: ClusterState, groupId: string): Group {
  const group = state.groups.get(groupId);
  holds(group !== undefined, 'a changed group is known', groupId);
  equal(group.groupId, groupId, 'a group is under its id');
  requireGroup(group);
  return group;
}

export const joinGroup: Conditions<'join-group'> = (before, state, command) => {
  const generation = state.groups.get(command.groupId)?.generation ?? 0;
  return (outcome) => {
    const { changed, answer, effects } = outcome;
    requireEffects(state, outcome);
    if (!changed) {
      equal(effects.groups, undefined, 'a join that changes nothing starts no timer');
      return;
    }
    const group = changedGroup(state, command.groupId);
    atMost(state.groups.size, before.groups + 1, 'a join makes one group');
    equal(effects.groups?.length, 1, 'a join is published for one group');
    holds(group.consumer !== null || group.generation >= generation, 'a generation never falls', group.generation);
    if (answer.waiting) {
      // In a group of the new protocol, or at the end of a join phase, the answer may be there already.
      holds(
        group.consumer !== null || group.members.has(answer.memberId),
        'a member that waits to join is in the group',
        answer.memberId,
      );
    }
  };
};

export const groupDeadline: Conditions<'group-deadline'> = (_before, state, command, nowMs) => {
  const deadlineMs = state.groups.get(command.groupId)?.deadlineMs ?? null;
  return (outcome) => {
    const { changed, answer, effects } = outcome;
    equal(answer.fired, changed, 'a deadline that fires is a change');
    equal(changed, deadlineMs !== null && deadlineMs <= nowMs, 'a deadline fires when it has passed');
    requireEffects(state, outcome);
    if (changed) {
      const group = changedGroup(state, command.groupId);
      equal(effects.groups?.length, 1, 'a deadline is published for one group');
      equal(effects.groups?.[0]?.groupId, group.groupId, 'a deadline is published for its group');
    }
  };
};

export const syncGroup: Conditions<'sync-group'> = (_before, state, command) => (outcome) => {
  const { changed, answer, effects } = outcome;
  requireEffects(state, outcome);
  if (!changed) {
    equal(effects.groups, undefined, 'a sync that changes nothing starts no timer');
    return;
  }
  const group = changedGroup(state, command.groupId);
  equal(effects.groups?.length, 1, 'a sync is published for one group');
  if (group.consumer === null) {
    equal(command.generationId, group.generation, 'a member syncs in its generation');
    holds(group.members.has(command.memberId), 'a member that syncs is in the group', command.memberId);
    holds(!answer.waiting || group.state === 'CompletingRebalance', 'a sync waits for the leader', group.state);
    holds(answer.waiting || group.state === 'Stable', 'an assignment makes the group Stable', group.state);
  }
};

export const leaveGroup: Conditions<'leave-group'> = (_before, state, command) => (outcome) => {
  const { changed, answer } = outcome;
  const codes = answer.memberErrorCodes;
  requireEffects(state, outcome);
  holds(codes.length === 0 || codes.length === command.members.length, 'each leaving member has a code', codes.length);
  if (changed) {
    const group = changedGroup(state, command.groupId);
    equal(answer.errorCode, 0, 'a member that leaves is accepted');
    holds(codes.includes(0), 'a change means that a member left', codes.length);
    for (const [at, { memberId }] of command.members.entries()) {
      const isGone = codes[at] !== 0 || memberId === '' || !group.members.has(memberId);
      holds(isGone, 'a member that left is gone', memberId);
    }
  }
};

export const expireMembers: Conditions<'expire-members'> = (_before, state, command) => (outcome) => {
  const { changed, answer } = outcome;
  const { expired } = answer;
  requireEffects(state, outcome);
  equal(expired.length, command.members.length, 'each expired session has an answer');
  equal(expired.includes(true), changed, 'a member that expires is a change');
  for (const [at, { groupId, memberId }] of command.members.entries()) {
    const group = state.groups.get(groupId);
    const isGone = expired[at] !== true || group === undefined || !group.members.has(memberId);
    holds(isGone, 'an expired member is gone', memberId);
    holds(
      expired[at] !== true || group?.consumer?.members.has(memberId) !== true,
      'an expired member of the new protocol is gone',
      memberId,
    );
  }
};

/** Hot: a few comparisons per command. */
export const commitOffsets: Conditions<'commit-offsets'> =
  (before, state, command, nowMs) =>
  ({ changed, answer, effects }) => {
    const { errorCode, offsetErrorCodes } = answer;
    const codes = offsetErrorCodes.length;
    equal(effects.groups, undefined, 'committed offsets start no timer');
    holds(codes === 0 || codes === command.offsets.length, 'each committed offset has a code, or none has', codes);
    holds(errorCode === 0 || codes === 0, 'a refused commit of offsets has one code', codes);
    if (!changed) {
      return;
    }
    equal(errorCode, 0, 'offsets that are committed are accepted');
    atMost(state.groups.size, before.groups + 1, 'committed offsets make one group');
    const group = changedGroup(state, command.groupId);
    atLeast(group.offsets.size, 1, 'a group with committed offsets has a topic');
    const last = command.offsets.at(-1);
    if (last !== undefined && (codes === 0 || offsetErrorCodes.at(-1) === 0)) {
      const stored = group.offsets.get(last.topic)?.get(last.partition);
      equal(stored?.offset, last.offset, 'a committed offset is stored');
      equal(stored?.committedAtMs, nowMs, 'an offset is committed now');
    }
  };

export const deleteOffsets: Conditions<'delete-offsets'> =
  (_before, state, command) =>
  ({ changed, answer }) => {
    const codes = answer.partitionErrorCodes;
    holds(
      codes.length === 0 || codes.length === command.partitions.length,
      'each deleted offset has a code',
      codes.length,
    );
    holds(answer.errorCode === 0 || !changed, 'a refused deletion of offsets changes nothing', answer.errorCode);
    if (changed) {
      const group = changedGroup(state, command.groupId);
      for (const [at, { topic, partition }] of command.partitions.entries()) {
        const isGone = codes[at] !== 0 || group.offsets.get(topic)?.has(partition) !== true;
        holds(isGone, 'a deleted offset is gone', partition);
      }
    }
  };

export const deleteGroups: Conditions<'delete-groups'> =
  (before, state, command) =>
  ({ changed, answer, effects }) => {
    const { errorCodes } = answer;
    const deleted = effects.groups?.length ?? 0;
    equal(errorCodes.length, command.groupIds.length, 'each deleted group has a code');
    equal(changed, deleted > 0, 'a deleted group is a change');
    equal(state.groups.size, before.groups - deleted, 'each deleted group is removed');
    for (const { groupId } of effects.groups ?? []) {
      equal(state.groups.has(groupId), false, 'a deleted group is gone');
    }
    const { transactions } = state;
    equal(transactions.byId.size, before.transactionalIds, 'the deletion of a group leaves transactional ids');
    equal(transactions.open.size, before.openTransactions, 'the deletion of a group ends no transaction');
    equal(transactions.counts.partitions, before.transactionPartitions, 'the deletion of a group leaves partitions');
    atMost(transactions.counts.offsets, before.pendingOffsets, 'the deletion of a group adds no pending offset');
  };

export const expireOffsets: Conditions<'expire-offsets'> =
  (before, state) =>
  ({ changed, answer, effects }) => {
    atLeast(answer.expiredOffsets, 0, 'the expired offsets are not negative');
    atMost(state.groups.size, before.groups, 'expiry makes no group');
    equal(effects.groups, undefined, 'expired offsets start no timer');
    equal(changed, answer.expiredOffsets > 0 || state.groups.size < before.groups, 'an expired offset is a change');
  };

/** Hot: a heartbeat that changes nothing is compared with nothing. */
export const consumerGroupHeartbeat: Conditions<'consumer-group-heartbeat'> = (before, state, command) => (outcome) => {
  const { changed, answer, effects } = outcome;
  if (answer.errorCode !== 0) {
    equal(changed, false, 'a refused heartbeat changes nothing');
    holds(answer.errorMessage !== '', 'a refused heartbeat has a reason', answer.errorCode);
    equal(answer.assignment, null, 'a refused heartbeat assigns nothing');
    return;
  }
  if (!changed) {
    return;
  }
  requireEffects(state, outcome);
  const { consumer, members } = changedGroup(state, command.groupId);
  if (consumer === null) {
    // The last member of the new protocol left, and classic ones remain.
    atMost(answer.memberEpoch, -1, 'only a member that leaves makes a group a classic one');
    holds(!members.has(answer.memberId), 'a member that left is no classic one', answer.memberId);
    return;
  }
  atMost(state.groups.size, before.groups + 1, 'a heartbeat makes one group');
  equal(effects.groups?.length, 1, 'a heartbeat is published for one group');
  const member = consumer.members.get(answer.memberId);
  if (answer.memberEpoch >= 0) {
    holds(member !== undefined, 'a member that beats is in the group', answer.memberId);
    equal(member.epoch, answer.memberEpoch, 'a member learns its epoch');
    atMost(member.epoch, consumer.assignmentEpoch, 'no member is ahead of the assignment');
    holds(member.state === 'unrevoked-partitions' || member.revoking.size === 0, 'revoking has a state', member.state);
    atLeast(answer.sessionTimeoutMs, answer.heartbeatIntervalMs, 'a session outlives its heartbeats');
  } else if (answer.memberEpoch === STATIC_LEAVE_EPOCH) {
    equal(member === undefined || member.epoch === STATIC_LEAVE_EPOCH, true, 'a static member waits to come back');
  } else {
    equal(member, undefined, 'a member that leaves is gone');
  }
};

export const installTargetAssignment: Conditions<'install-target-assignment'> =
  (_before, state, command, nowMs) =>
  ({ changed, answer }) => {
    equal(answer.installed, changed, 'an installed assignment is a change');
    if (changed) {
      const { consumer } = changedGroup(state, command.groupId);
      equal(consumer?.assignmentEpoch, command.epoch, 'an assignment is of its epoch');
      equal(consumer?.epoch, command.epoch, 'an assignment is of the present epoch');
      equal(consumer?.assignedAtMs, nowMs, 'an assignment is installed now');
      for (const { memberId, topics } of command.targets) {
        holds(consumer?.members.has(memberId) === true, 'a target is for a member', memberId);
        const first = topics[0];
        const target = consumer?.target.get(memberId);
        equal((target?.size ?? 0) > 0, topics.length > 0, 'a member has the target that was computed');
        const partitions = first === undefined ? undefined : target?.get(idKey(first.topicId));
        holds(first === undefined || partitions !== undefined, 'a target has its topics', memberId);
      }
    }
  };

export const resolveGroupRegexes: Conditions<'resolve-group-regexes'> = (_before, state, command) => {
  const epoch = state.groups.get(command.groupId)?.consumer?.epoch ?? 0;
  return ({ changed, answer }) => {
    equal(answer.resolved, changed, 'a resolved expression is a change');
    if (changed) {
      const { consumer } = changedGroup(state, command.groupId);
      holds(consumer !== null, 'an expression is of a group of the new protocol', command.groupId);
      atLeast(consumer.epoch, epoch, 'a resolved expression does not lower the epoch');
    }
  };
};

export const alterGroupConfigs: Conditions<'alter-group-configs'> =
  (before, state, command) =>
  ({ changed, answer }) => {
    equal(answer.results.length, command.groups.length, 'each altered group has a result');
    holds(!changed || !command.validateOnly, 'validated configs of a group are not altered', command.validateOnly);
    atMost(state.groupConfigs.size, before.groupConfigs + command.groups.length, 'an alteration is of one group');
    for (const { errorCode, errorMessage } of answer.results) {
      equal(errorMessage !== '', errorCode !== 0, 'refused configs of a group have a reason');
    }
    for (const { groupId } of command.groups) {
      holds(state.groupConfigs.get(groupId)?.size !== 0, 'a group without configs is not listed', groupId);
    }
  };
