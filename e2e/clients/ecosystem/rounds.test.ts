import { expect, test } from 'vitest';
import { growing, type RoundReport } from './rounds.ts';

function reportsOf(bytes: number[]): RoundReport[] {
  return bytes.map((storedBytes, at) => ({
    part: 'connect',
    round: at + 1,
    figures: {},
    sizes: new Map([
      ['kept', { written: 1, storedBytes }],
      ['plain', { written: 1, storedBytes: at * 1_000 }],
    ]),
    compacted: ['kept'],
  }));
}

test('reports only compacted topics that grow after three rounds', () => {
  expect(growing(reportsOf([100, 200, 300, 400]))).toEqual(['kept grows: 100, 200, 300, 400 bytes']);
  expect(growing(reportsOf([100, 300, 200, 310, 320]))).toEqual([]);
  expect(growing(reportsOf([100, 200, 300]))).toEqual([]);
});
