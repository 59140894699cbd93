import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeTurn } from './take-turns';

let frames: (() => void)[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
});
afterEach(() => vi.unstubAllGlobals());

/** Runs requested frames until none is left. @returns what was drawn in each */
function play(drawn: string[]): string[][] {
  const seen: string[][] = [];
  for (let next = frames.shift(); next !== undefined; next = frames.shift()) {
    next();
    seen.push(drawn.splice(0));
  }
  return seen;
}

test('parts that change together are drawn one per frame, in the order of their requests', () => {
  const drawn: string[] = [];
  for (const name of ['load', 'bars', 'bills']) {
    takeTurn({ name }, () => drawn.push(name));
  }
  expect(play(drawn)).toEqual([['load'], ['bars'], ['bills']]);
});

test('a part that asks again keeps its place in the queue and draws only the newest value', () => {
  const drawn: string[] = [];
  const bars = {};
  takeTurn(bars, () => drawn.push('old bars'));
  takeTurn({}, () => drawn.push('bills'));
  takeTurn(bars, () => drawn.push('new bars'));
  expect(play(drawn)).toEqual([['new bars'], ['bills']]);
});

test('a part that was drawn can be queued again', () => {
  const drawn: string[] = [];
  const bars = {};
  takeTurn(bars, () => drawn.push('bars'));
  expect(play(drawn)).toEqual([['bars']]);
  takeTurn(bars, () => drawn.push('newer bars'));
  expect(play(drawn)).toEqual([['newer bars']]);
});
