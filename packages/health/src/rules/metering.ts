// Commits that the metadata service refused because their uncompressed sizes, which bills are computed from, cannot be true.
import { METERING_REFUSAL_CLEAR_MS } from '../thresholds.ts';
import type { Rule } from './rule.ts';

export const impossibleMetering: Rule = {
  id: 'metering.impossible',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ agents, meteringRefusal, nowMs }) {
    if (agents === null) {
      return 'unknown';
    }
    if (meteringRefusal === null || nowMs - meteringRefusal.atMs >= METERING_REFUSAL_CLEAR_MS) {
      return [];
    }
    const { agentId, commits } = meteringRefusal;
    const agent = agentId === '' ? 'An agent' : `Agent ${agentId}`;
    return [
      {
        subject: agentId === '' ? {} : { agentId },
        severity: 'critical',
        strength: 'bad',
        cause: `${agent} named uncompressed sizes that are smaller than the stored records allow. ${commits === 1 ? 'Its commit was' : `${commits} commits were`} refused.`,
      },
    ];
  },
};
