import type { Rule } from './rule.ts';

/** Raised at once: the stop is a stored fact, not a measurement. */
export const clusterStopped: Rule = {
  id: 'metadata.stopped',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ isStopped, fault }) {
    if (!isStopped || fault !== null) {
      return [];
    }
    return [
      {
        subject: {},
        severity: 'critical',
        strength: 'bad',
        cause:
          'The metadata service has stopped this cluster because acknowledged journal entries are missing. Nothing is written, read or deleted.',
      },
    ];
  },
};

/** Names the position and the command, which the operator needs. Raised at once, like the other stop. */
export const clusterFault: Rule = {
  id: 'metadata.fault',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ isStopped, fault }) {
    if (!isStopped || fault === null) {
      return [];
    }
    const { seq, command, sha256 } = fault;
    const at = command === '' ? '' : `, at the command ${command} (${sha256.slice(0, 16)})`;
    return [
      {
        subject: {},
        severity: 'critical',
        strength: 'bad',
        cause: `The metadata service found a fault in the state of this cluster at journal entry ${seq}${at}, and stopped it. Nothing is written, read or deleted, and nothing is lost.`,
      },
    ];
  },
};
