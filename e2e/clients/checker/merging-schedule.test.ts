import { expect, test } from 'vitest';
import { drawMergingSchedule, jobMoments } from './merging-schedule.ts';

test('each seed always draws its own schedule', () => {
  expect(drawMergingSchedule(7, 60_000)).toEqual(drawMergingSchedule(7, 60_000));
  expect(drawMergingSchedule(8, 60_000)).not.toEqual(drawMergingSchedule(7, 60_000));
});

// It kills agents, the owner and the S3 server during and between jobs.
test('a run of half an hour covers every moment of a job', () => {
  const { jobs, anyTime } = drawMergingSchedule(1, 1_800_000);
  const killedAt = jobs.filter(({ victim, how }) => victim === 'agent' && how === 'killed').map(({ moment }) => moment);
  expect(new Set(killedAt)).toEqual(new Set([...Object.keys(jobMoments), 'completing']));
  for (const steps of [jobs, anyTime]) {
    const killed = steps.filter(({ how }) => how === 'killed').map(({ victim }) => victim);
    expect(['agent', 'owner', 's3'].filter((victim) => !new Set<string>(killed).has(victim))).toEqual([]);
  }
});
