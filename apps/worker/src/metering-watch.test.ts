import { expect, test } from 'vitest';
import { MeteringWatch } from './metering-watch.ts';

test('the lag is the age of the oldest entry, and grows unwatched', () => {
  let nowMs = 1_000_000;
  const watch = new MeteringWatch(() => nowMs);
  watch.note(new Date(nowMs - 7_000));
  expect(watch.lagSeconds).toBe(7);
  nowMs += 60_000;
  expect(watch.lagSeconds).toBe(67);
});

test('without entries, the lag is the time since the last look', () => {
  let nowMs = 1_000_000;
  const watch = new MeteringWatch(() => nowMs);
  watch.note(undefined);
  expect(watch.lagSeconds).toBe(0);
  nowMs += 300_000;
  expect(watch.lagSeconds).toBe(300);
});
