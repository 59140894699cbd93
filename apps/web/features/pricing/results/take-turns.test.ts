import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeTurn } from './take-turns';

let frames: (() => void)[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
});
afterEach(() => vi.unstubAllGlobals());

/** Plays the frames that were asked for, until none is. @returns what was drawn in each */
function play(drawn: string[]): string[][] {
  const seen: string[][] = [];
  for (let next = frames.shift(); next !== undefined; next = frames.shift()) {
    next();
    seen.push(drawn.splice(0));
  }
  return seen;
}

test('parts that change together are drawn one a frame, in the order in which they asked', () => {
  const drawn: string[] = [];
  for (const name of ['load', 'bars', 'bills']) {
    takeTurn({ name }, () => drawn.push(name));
  }
  expect(play(drawn)).toEqual([['load'], ['bars'], ['bills']]);
});

test('a part that asks again before its turn keeps its place and draws the newest alone', () => {
  const drawn: string[] = [];
  const bars = {};
  takeTurn(bars, () => drawn.push('old bars'));
  takeTurn({}, () => drawn.push('bills'));
  takeTurn(bars, () => drawn.push('new bars'));
  expect(play(drawn)).toEqual([['new bars'], ['bills']]);
});

test('a part that was drawn can ask again', () => {
  const drawn: string[] = [];
  const bars = {};
  takeTurn(bars, () => drawn.push('bars'));
  expect(play(drawn)).toEqual([['bars']]);
  takeTurn(bars, () => drawn.push('newer bars'));
  expect(play(drawn)).toEqual([['newer bars']]);
});
