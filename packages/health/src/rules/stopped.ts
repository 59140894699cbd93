import type { Rule } from './rule.ts';

/** Raised at once: the stop is a stored fact, not a measurement. */
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
