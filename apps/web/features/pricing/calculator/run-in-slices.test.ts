import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runInSlices } from './run-in-slices';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Three steps of 3 ms each. */
function* work(steps: number[]): Generator<void, string> {
  for (const step of [1, 2, 3]) {
    steps.push(step);
    yield;
  }
  return 'done';
}

test('long work pauses between its steps and delivers its result once', () => {
  const steps: number[] = [];
  const results: string[] = [];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => steps.length * 3);
  runInSlices(work(steps), (result) => results.push(result));
  vi.advanceTimersToNextTimer();
  expect(steps).toEqual([1, 2]);
  expect(results).toEqual([]);
  vi.runAllTimers();
  expect(steps).toEqual([1, 2, 3]);
  expect(results).toEqual(['done']);
  clock.mockRestore();
});

test('cancelled work runs no further step and delivers nothing', () => {
  const steps: number[] = [];
  const results: string[] = [];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => steps.length * 3);
  const cancel = runInSlices(work(steps), (result) => results.push(result));
  vi.advanceTimersToNextTimer();
  cancel();
  vi.runAllTimers();
  expect(steps).toEqual([1, 2]);
  expect(results).toEqual([]);
  clock.mockRestore();
});
