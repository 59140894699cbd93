import { DAY_MS } from '@penstock/units';
import { describe, expect, it } from 'vitest';
import { daysLeft } from './days-left.ts';

describe('daysLeft', () => {
  it('counts the current day', () => {
    expect(daysLeft(30 * DAY_MS, 0)).toBe(30);
    expect(daysLeft(29 * DAY_MS + 1, 0)).toBe(30);
  });

  it('is never zero while the cluster can still be restored', () => {
    expect(daysLeft(60_000, 0)).toBe(1);
  });
});
