import { describe, expect, it } from 'vitest';
import { scrollIntoStrip } from './scroll-into-strip.ts';

describe('scrollIntoStrip', () => {
  it.each([
    ['a tab that is in view moves nothing', { left: 0, width: 360 }, { start: 100, width: 80 }, 0],
    [
      'a strip that was scrolled by hand stays where its tab is in view',
      { left: 90, width: 360 },
      { start: 200, width: 80 },
      90,
    ],
    ['a tab beyond the end comes in with some of the next', { left: 0, width: 360 }, { start: 500, width: 80 }, 268],
    [
      'a tab before the beginning comes in with some of the one before',
      { left: 400, width: 360 },
      { start: 200, width: 80 },
      152,
    ],
    ['the first tab has nothing before it', { left: 200, width: 360 }, { start: 0, width: 80 }, 0],
    [
      'a tab that is wider than the strip begins where the strip does',
      { left: 0, width: 100 },
      { start: 300, width: 200 },
      400,
    ],
  ])('%s', (_title, strip, tab, expected) => {
    expect(scrollIntoStrip(strip, tab)).toBe(expected);
  });
});
