import { describe, expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { plantMutants } from './plant-mutants.ts';

describe('mutants of the agent', () => {
  test('are many and uniquely named', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    expect(MUTANTS.length).toBeGreaterThanOrEqual(30);
  });

  test.each(MUTANTS)('$name still applies to the current code', (mutant) => {
    expect(plantMutants([mutant]).size).toBeGreaterThan(0);
  });

  test('no two change the same text', () => {
    expect(plantMutants(MUTANTS).size).toBeGreaterThan(0);
  });
});
