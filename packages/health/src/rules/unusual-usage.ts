// Usage that is held for review because it is far from what the cluster usually writes.
import type { Rule } from './rule.ts';

/** Raised at once: the hold is a stored fact. It ends with the review. */
export const unusualUsage: Rule = {
  id: 'metering.unusual',
  raiseAfterMs: 0,
  clearAfterMs: 0,
  observe({ heldHours }) {
    if (heldHours === 0) {
      return [];
    }
    return [
      {
        subject: {},
        severity: 'warning',
        strength: 'bad',
        cause: `Usage in ${heldHours === 1 ? 'one hour' : `${heldHours} hours`} was far from this cluster’s usual. The writes are held for review and not charged.`,
      },
    ];
  },
};
