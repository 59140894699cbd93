// Rules about consumer groups that fall behind.
import { formatCount, formatCountOf } from '@penstock/units';
import { lagGrowth, wasActive } from '../group-memory.ts';
import { CONSUMERS_STOPPED_RAISE_MS, LAG_MINUTES, LEAST_LAG_GROWTH } from '../thresholds.ts';
import type { Rule } from './rule.ts';

export const consumersStopped: Rule = {
  id: 'consumers.stopped',
  raiseAfterMs: CONSUMERS_STOPPED_RAISE_MS,
  clearAfterMs: 0,
  observe({ groups, groupMemories, nowMs }) {
    if (groups === null) {
      return 'unknown';
    }
    return groups.flatMap(({ groupId, members, lagRecords }) => {
      const memory = groupMemories.get(groupId);
      if (members > 0 || lagRecords === 0 || memory === undefined || !wasActive(memory, nowMs)) {
        return [];
      }
      return [
        {
          subject: { group: groupId },
          severity: 'warning' as const,
          strength: lagRecords > memory.lagWithMembers ? ('bad' as const) : ('fading' as const),
          cause: `Group ${groupId} has lost its last member, and its lag has grown from ${formatCount(memory.lagWithMembers)} to ${formatCountOf(lagRecords, 'record')}.`,
        },
      ];
    });
  },
};

export const lagGrowing: Rule = {
  id: 'lag.growing',
  // It has already lasted for minutes.
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ groups, groupMemories }) {
    if (groups === null) {
      return 'unknown';
    }
    return groups.flatMap(({ groupId, members, lagRecords }) => {
      const memory = groupMemories.get(groupId);
      // A group without members is another finding.
      if (members === 0 || memory === undefined) {
        return [];
      }
      const growth = lagGrowth(memory, lagRecords);
      if (growth === 0) {
        return [];
      }
      return [
        {
          subject: { group: groupId },
          severity: 'warning' as const,
          strength: growth >= LEAST_LAG_GROWTH ? ('bad' as const) : ('fading' as const),
          cause: `The lag of group ${groupId} has grown in each of the last ${LAG_MINUTES} minutes, by ${formatCount(growth)} to ${formatCountOf(lagRecords, 'record')}, with ${formatCountOf(members, 'member')} running.`,
        },
      ];
    });
  },
};
