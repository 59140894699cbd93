import { describe, expect, it } from 'vitest';
import { backgroundOf, stackedStripes } from './stripes.ts';

describe('a bar', () => {
  it('shows its parts side by side and is transparent beyond them', () => {
    const stripes = stackedStripes(
      [
        { size: 20, colour: 'red' },
        { size: 30, colour: 'blue' },
      ],
      0.5,
    );
    expect(backgroundOf(stripes)).toBe(
      'linear-gradient(to right, red 0.00% 20.00%, blue 20.00% 50.00%, transparent 50.00%)',
    );
  });

  it('is transparent before a part that does not begin at zero', () => {
    expect(backgroundOf([{ from: 50, to: 75, colour: 'red' }])).toBe(
      'linear-gradient(to right, transparent 0.00% 50.00%, red 50.00% 75.00%, transparent 75.00%)',
    );
  });

  it('stays visible at any size, with its parts in proportion', () => {
    const stripes = stackedStripes(
      [
        { size: 0.1, colour: 'red' },
        { size: 0.3, colour: 'blue' },
      ],
      1,
    );
    expect(stripes.map(({ from, to }) => [from, to])).toEqual([
      [0, 0.25],
      [0.25, 1],
    ]);
  });

  it('without parts is transparent', () => {
    expect(backgroundOf(stackedStripes([], 1))).toBe('linear-gradient(to right, transparent 0.00%)');
  });
});
