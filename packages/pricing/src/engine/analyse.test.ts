import { describe, expect, it } from 'vitest';
import { DEFAULT_STATE, withInput } from '../state/index.ts';
import { breakEven, costCurve, curvePoint, saving, sensitivity } from './analyse.ts';

const curve = costCurve(DEFAULT_STATE);

describe('analyses', () => {
  it('find the load at which two systems cost the same', () => {
    const found = breakEven(DEFAULT_STATE, curve, 'penstock', 'kafka-follower');
    expect(found.kind).toBe('crosses');
    if (found.kind === 'crosses') {
      expect(found.cheaperBelow).toBe(false);
      const [at = 0] = found.at;
      const { totals } = curvePoint(DEFAULT_STATE, at);
      expect(Math.abs((totals['penstock'] ?? 0) / (totals['kafka-follower'] ?? 1) - 1)).toBeLessThan(0.02);
    }
  });

  it('report that there is no such load', () => {
    expect(breakEven(DEFAULT_STATE, curve, 'penstock', 'automq').kind).toBe('never cheaper');
    const onGcp = withInput(DEFAULT_STATE, 'cloud', 'gcp');
    expect(breakEven(onGcp, costCurve(onGcp), 'penstock', 'msk').kind).toBe('not available');
  });

  it('rank the assumptions by their effect', () => {
    const rows = sensitivity(DEFAULT_STATE, 'penstock', 'kafka-follower');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map((row) => row.swing)).toEqual(rows.map((row) => row.swing).toSorted((a, b) => b - a));
    expect(rows.slice(0, 3).map((row) => row.key)).toContain('throughput');
    expect(rows.some((row) => row.key === 'bufstreamCpu')).toBe(false);
    expect(saving(DEFAULT_STATE, 'penstock', 'kafka-follower')).toBeGreaterThan(0);
  });
});
