import { expect, test } from 'vitest';
import { s3FaultKinds } from './faulty-s3.ts';
import { drawSchedule, victims } from './schedule.ts';

test('each seed always draws its own schedule', () => {
  expect(drawSchedule(7, 120_000)).toEqual(drawSchedule(7, 120_000));
  expect(drawSchedule(8, 120_000)).not.toEqual(drawSchedule(7, 120_000));
});

test('no track lasts longer than the run', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const durationMs = seed % 2 === 0 ? 20_000 : 120_000;
    for (const steps of Object.values(drawSchedule(seed, durationMs))) {
      const totalMs = steps.reduce(
        (sum: number, step: { wait_ms: number; for_ms: number }) => sum + step.wait_ms + step.for_ms,
        0,
      );
      expect(totalMs).toBeLessThanOrEqual(durationMs);
    }
  }
});

// They still end in time.
test('some long runs have an outage of more than a minute', () => {
  const schedules = Array.from({ length: 40 }, (_, seed) => drawSchedule(seed, 120_000).s3);
  const withOutage = schedules.filter((steps) => steps.some(({ for_ms: forMs }) => forMs > 60_000));
  expect(withOutage.length).toBeGreaterThan(4);
  expect(withOutage.length).toBeLessThan(20);
});

test('twenty runs use every fault, victim and method', () => {
  const schedules = Array.from({ length: 20 }, (_, seed) => drawSchedule(seed, 120_000));
  const faults = schedules.flatMap(({ s3 }) => s3.map(({ fault }) => fault));
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(s3FaultKinds));
  expect(new Set(faults.flatMap(({ methods }) => methods)).size).toBe(5);
  const struck = schedules.flatMap(({ processes }) => processes.map(({ victim, how }) => `${victim} ${how}`));
  expect(new Set(struck).size).toBe(2 * victims.length);
});
