import { expect, test } from 'vitest';
import { MeteringWatch } from './metering-watch.ts';

function watchOf(own: number[]): { watch: MeteringWatch; wait(ms: number): void; nowMs(): number } {
  let nowMs = 1_000_000;
  const watch = new MeteringWatch(
    () => nowMs,
    () => own,
  );
  return {
    watch,
    wait: (ms) => {
      nowMs += ms;
    },
    nowMs: () => nowMs,
  };
}

test('the lag is the age of the oldest entry, and grows unwatched', () => {
  const { watch, wait, nowMs } = watchOf([3, 4]);
  watch.note(3, new Date(nowMs() - 7_000));
  watch.note(4, new Date(nowMs() - 2_000));
  expect(watch.lagSeconds).toBe(7);
  wait(60_000);
  watch.note(4, undefined);
  expect(watch.lagSeconds).toBe(67);
});

test('without entries, the lag is the time since the last look', () => {
  const { watch, wait } = watchOf([3]);
  watch.note(3, undefined);
  expect(watch.lagSeconds).toBe(0);
  wait(300_000);
  expect(watch.lagSeconds).toBe(300);
});

test('a shard that nobody looks at here falls behind', () => {
  const { watch, wait } = watchOf([3]);
  expect(watch.lagSeconds).toBe(0);
  wait(300_000);
  expect(watch.lagSeconds).toBe(300);
});

test('shards of other workers do not count', () => {
  const own = [3];
  const { watch, wait, nowMs } = watchOf(own);
  watch.note(3, new Date(nowMs() - 7_000));
  own.splice(0, 1);
  expect(watch.lagSeconds).toBe(0);
  wait(60_000);
  own.push(3);
  expect(watch.lagSeconds).toBe(0);
});
