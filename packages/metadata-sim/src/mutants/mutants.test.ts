import { describe, expect, test } from 'vitest';
import { runSeeds } from '../runner.ts';
import { mutatedSource } from './install-mutant.ts';
import { MUTANTS } from './mutants.ts';

const JOBS = 2;
/** The mutant that hides best needs a part of these. */
const MOST_SEEDS = 400;

test('there are many ways to be wrong, each with a name of its own', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
});

test.each(MUTANTS)('$name changes the code as it is today', (mutant) => {
  expect(mutatedSource(mutant)).toContain(mutant.to);
});

describe('the simulation notices a service that', () => {
  test.each(MUTANTS)('$name', async (mutant) => {
    const reports = await runSeeds({
      first: 1,
      count: MOST_SEEDS,
      jobs: JOBS,
      mutant: mutant.name,
      stopAtFailure: true,
    });
    const noticed = reports.find(({ failure }) => failure !== null);
    expect(noticed?.failure).toMatch(/./);
  });
});
