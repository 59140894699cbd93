import { expect, test } from 'vitest';
import { drawMergingSchedule, jobMoments } from './merging-schedule.ts';

test('a seed always draws the same schedule, and another seed a different one', () => {
  expect(drawMergingSchedule(7, 60_000)).toEqual(drawMergingSchedule(7, 60_000));
  expect(drawMergingSchedule(8, 60_000)).not.toEqual(drawMergingSchedule(7, 60_000));
});

test('a run of half an hour kills agents at every moment of a job, and the owner and the S3 server during and between jobs', () => {
  const { jobs, anyTime } = drawMergingSchedule(1, 1_800_000);
  const killedAt = jobs.filter(({ victim, how }) => victim === 'agent' && how === 'killed').map(({ moment }) => moment);
  expect(new Set(killedAt)).toEqual(new Set([...Object.keys(jobMoments), 'completing']));
  for (const steps of [jobs, anyTime]) {
    const killed = steps.filter(({ how }) => how === 'killed').map(({ victim }) => victim);
    expect(['agent', 'owner', 's3'].filter((victim) => !new Set<string>(killed).has(victim))).toEqual([]);
  }
});
