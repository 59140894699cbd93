import { expect, test } from 'vitest';
import { type Summary, withRun } from './record-run.ts';

const RUN: Summary = {
  first_seed: 1,
  last_seed: 10,
  seeds: 10,
  broken: [],
  simulated_hours: 0.5,
  cpu_hours: 0.0125,
};

test('runs of several days add up', () => {
  const one = withRun(undefined, RUN, 'a');
  const both = withRun(one, { ...RUN, first_seed: 11, last_seed: 20, broken: [17] }, 'b');
  expect(both).toMatchObject({ seeds: 20, broken: 1, simulated_hours: 1, cpu_hours: 0.025 });
  expect(both.runs.map(({ commit }) => commit)).toEqual(['a', 'b']);
});
