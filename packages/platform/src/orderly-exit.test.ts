import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { drainSecondsVariable, exitOnSignals } from './orderly-exit.ts';

class FakeProcess extends EventEmitter {
  readonly codes: number[] = [];

  exit(code: number): void {
    this.codes.push(code);
  }
}

const silent = { info: () => undefined, fatal: () => undefined };
let steps: string[];

beforeEach(() => {
  steps = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function start(drainSeconds: number, close: () => Promise<void>): FakeProcess {
  const program = new FakeProcess();
  const leave = (): void => void steps.push('leave');
  exitOnSignals({ logger: silent, drainSeconds, leave, close }, program);
  return program;
}

const closed = async (): Promise<void> => void steps.push('close');

test('readiness goes first, listeners close after the drain', async () => {
  const program = start(3, closed);
  program.emit('SIGTERM', 'SIGTERM');
  await vi.advanceTimersByTimeAsync(2_999);
  expect(steps).toEqual(['leave']);
  await vi.advanceTimersByTimeAsync(1);
  expect(steps).toEqual(['leave', 'close']);
  expect(program.codes).toEqual([0]);
});

test('a second signal neither repeats nor shortens the shutdown', async () => {
  const program = start(3, closed);
  program.emit('SIGTERM', 'SIGTERM');
  program.emit('SIGINT', 'SIGINT');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(steps).toEqual(['leave', 'close']);
  expect(program.codes).toEqual([0]);
});

test('whatever runs, the process exits within 25 s', async () => {
  const program = start(15, () => new Promise(() => undefined));
  program.emit('SIGTERM', 'SIGTERM');
  await vi.advanceTimersByTimeAsync(25_000);
  expect(program.codes).toEqual([1]);
});

test('a failed shutdown exits with 1', async () => {
  const program = start(0, () => Promise.reject(new Error('no')));
  program.emit('SIGINT', 'SIGINT');
  await vi.advanceTimersByTimeAsync(0);
  expect(program.codes).toEqual([1]);
});

test.each([
  [undefined, 0],
  ['3', 3],
  ['15', 15],
])('a drain of %s is %s seconds', (text, seconds) => {
  expect(z.parse(drainSecondsVariable, text)).toBe(seconds);
});

test.each(['16', '-1', '1.5', 'soon'])('a drain of %s is refused', (text) => {
  expect(z.safeParse(drainSecondsVariable, text).success).toBe(false);
});
