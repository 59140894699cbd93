// Completions of jobs that the metadata service refused because no job ordered them: nothing else may put an object in the place of records.
import { JOB_REFUSAL_CLEAR_MS } from '../thresholds.ts';
import type { Rule } from './rule.ts';

export const unorderedJob: Rule = {
  id: 'jobs.not-ordered',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ agents, jobRefusal, nowMs }) {
    if (agents === null) {
      return 'unknown';
    }
    if (jobRefusal === null || nowMs - jobRefusal.atMs >= JOB_REFUSAL_CLEAR_MS) {
      return [];
    }
    const { agentId, key, reason, completions } = jobRefusal;
    const by = agentId === '' ? `Agent key “${key}”` : `Agent ${agentId}, with agent key “${key}”,`;
    const refused = completions === 1 ? 'It was' : `${completions} completions were`;
    return [
      {
        subject: agentId === '' ? {} : { agentId },
        severity: 'warning',
        strength: 'bad',
        cause: `${by} completed a job that was not handed out to it. ${refused} refused, and no records were replaced. The reason: ${reason}`,
      },
    ];
  },
};
