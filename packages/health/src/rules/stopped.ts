import type { Rule } from './rule.ts';

/** It is written down, so it needs no time to be sure of. */
export const clusterStopped: Rule = {
  id: 'metadata.stopped',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ isStopped }) {
    if (!isStopped) {
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
