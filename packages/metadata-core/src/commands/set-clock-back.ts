// SetClockBack: the history contains future times, because a clock was wrong. From now on they count as the current time.
import { MINUTE_MS } from '@penstock/units';
import type { SetClockBack } from '../model/agents.types.ts';
import { changed, type GroupEffect, type Outcome } from '../model/outcome.ts';
import { beforeChange, type ClusterState } from '../state/cluster-state.ts';
import type { Group } from '../state/group.types.ts';
import { setMarksBack } from '../state/producer-id-marks.ts';
import { setProducer, setStartBack, type Transactions } from '../state/transactions.ts';

/**
 * Everything with a deadline waits from now on; a group's deadline keeps the rest of its
 * wait. Data kept for days (producers' sequences, committed offsets, records without a timestamp) is kept longer by as much as the clock
 * was ahead.
 */
export function setClockBack(state: ClusterState, command: SetClockBack, nowMs: number): Outcome<'set-clock-back'> {
  state.lastMarkedMinute = Math.min(state.lastMarkedMinute, Math.floor(nowMs / MINUTE_MS));
  for (const agent of state.agents.values()) {
    if (agent.leftAtMs !== null) {
      agent.leftAtMs = Math.min(agent.leftAtMs, nowMs);
    }
  }
  for (const [key, grant] of state.producerIdGrants) {
    if (grant.grantedAtMs > nowMs) {
      state.producerIdGrants.set(key, { ...grant, grantedAtMs: nowMs });
    }
  }
  setMarksBack(state.producerIdMarks, nowMs);
  setTransactionsBack(state.transactions, nowMs);
  state.answers.setClockBack(nowMs);
  state.files.setClockBack(nowMs);
  const effects: GroupEffect[] = [];
  for (const group of state.groups.values()) {
    beforeChange(state, group);
    if (setGroupBack(group, command.fromMs, nowMs)) {
      effects.push({
        groupId: group.groupId,
        joined: [],
        synced: [],
        deadlineMs: group.deadlineMs,
        sessions: [],
        ended: [],
      });
    }
  }
  return changed({}, effects.length === 0 ? {} : { groups: effects });
}

function setTransactionsBack(transactions: Transactions, nowMs: number): void {
  for (const producer of transactions.byId.values()) {
    setStartBack(transactions, producer, nowMs);
    if (producer.updatedAtMs > nowMs) {
      setProducer(transactions, { ...producer, updatedAtMs: nowMs });
    }
  }
}

/** Sets the group's times back. Returns whether its deadline changed. */
function setGroupBack(group: Group, fromMs: number, nowMs: number): boolean {
  const setBack = (untilMs: number): number => Math.min(untilMs, nowMs + Math.max(0, untilMs - fromMs));
  const { deadlineMs, gathering } = group;
  group.emptySinceMs = Math.min(group.emptySinceMs, nowMs);
  if (gathering !== null) {
    gathering.untilMs = setBack(gathering.untilMs);
  }
  if (deadlineMs === null) {
    return false;
  }
  group.deadlineMs = setBack(deadlineMs);
  return group.deadlineMs !== deadlineMs;
}
