import { CURVE_LOADS } from '@penstock/pricing';
import { describe, expect, it } from 'vitest';
import { prepareCurve } from './prepare-curve';

const flat = (total: number | null) => CURVE_LOADS.map((mibPerSecond) => ({ mibPerSecond, totals: { a: total } }));

describe('cost against throughput', () => {
  it('spans the chart from the first load to the last', () => {
    const { lines, xTicks, yTicks } = prepareCurve(flat(1000), ['a']);
    const points = lines[0]?.points.split(' ') ?? [];
    expect(points).toHaveLength(CURVE_LOADS.length);
    expect([points[0]?.split(',')[0], points.at(-1)?.split(',')[0]]).toEqual(['0.00', '100.00']);
    expect(xTicks.map((tick) => tick.text)).toEqual(['0.01', '0.1', '1', '10', '100', '1,000', '10,000']);
    expect(yTicks.map((tick) => tick.text)).toEqual(['$1k', '$10k']);
  });

  it.each([
    ['is not available', null],
    ['costs nothing', 0],
  ])('draws no line for a system that %s, and still draws axes', (_, total) => {
    const { lines, yTicks } = prepareCurve(flat(total), ['a']);
    expect(lines[0]?.points).toBe('');
    expect(yTicks.length).toBeGreaterThan(1);
    expect(JSON.stringify(prepareCurve([], ['a']))).not.toMatch(/NaN|null/);
  });
});
