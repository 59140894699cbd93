import { expect, it } from 'vitest';
import { droppedIn } from './page-time.ts';

it.each([
  [[16.7, 16.6, 16.7], 0],
  [[16.7, 24.9], 0],
  [[33.4, 16.7], 1],
  [[100, 50], 7],
  [[], 0],
])('of frames %j apart %d are missing', (gaps, missing) => {
  expect(droppedIn(gaps)).toBe(missing);
});
