import { describe, expect, it } from 'vitest';
import { placeLabels } from './place-labels.ts';

const mark = (x: number, y: number, side: 'left' | 'right' = 'right') => ({ x, y, side, text: 'a name' });

describe('labels next to marks', () => {
  it('are at the height of their mark if there is room', () => {
    expect(placeLabels([mark(10, 20), mark(10, 60)])).toEqual([20, 60]);
    expect(placeLabels([])).toEqual([]);
  });

  it('move away from each other and from marks minimally', () => {
    expect(placeLabels([mark(10, 50), mark(10, 52)])).toEqual([50, 58]);
    expect(placeLabels([mark(50, 50), mark(55, 50)])[0]).not.toBe(50);
  });

  it('stay where they are when there is no room at all', () => {
    const crowd = Array.from({ length: 40 }, () => mark(10, 50));
    expect(placeLabels(crowd).every((height) => height >= 0 && height <= 100)).toBe(true);
  });
});
