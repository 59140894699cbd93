// What the metadata service holds for the cluster is near one of its limits, or calls were refused because of one.
import { MEMORY_REFUSAL_CLEAR_MS, MEMORY_WARNING_SHARE } from '../thresholds.ts';
import type { Observation, Rule } from './rule.ts';

const ACCOUNTS = new Map([
  ['groups', 'Consumer groups and their members'],
  ['offsets', 'Committed offsets'],
  ['transactions', 'Transactions'],
  ['topics', 'Topic names and configurations'],
  ['producers', 'Idempotent producers'],
  ['organization', 'All clusters of the organization together'],
]);

export const metadataMemory: Rule = {
  id: 'metadata.memory',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ agents, memory, nowMs }) {
    if (agents === null) {
      return 'unknown';
    }
    if (memory === null) {
      return [];
    }
    const { accounts, refusal } = memory;
    if (refusal !== null && nowMs - refusal.atMs < MEMORY_REFUSAL_CLEAR_MS) {
      const calls = refusal.calls === 1 ? 'One call was' : `${refusal.calls} calls were`;
      return [found('critical', `${calls} refused for lack of room. ${refusal.reason}`)];
    }
    const fullest = accounts.toSorted((one, two) => two.heldBytes / two.limitBytes - one.heldBytes / one.limitBytes)[0];
    if (fullest === undefined || fullest.heldBytes < fullest.limitBytes * MEMORY_WARNING_SHARE) {
      return [];
    }
    const percent = Math.floor((100 * fullest.heldBytes) / fullest.limitBytes);
    const name = ACCOUNTS.get(fullest.name) ?? fullest.name;
    return [found('warning', `${name} use ${percent}% of their memory limit in the metadata service.`)];
  },
};

function found(severity: Observation['severity'], cause: string): Observation {
  return { subject: {}, severity, strength: 'bad', cause };
}
