import { describe, expect, it } from 'vitest';
import { AuditFailure } from './auditor/audit-failure.ts';
import { MUTANTS } from './behaviour.ts';
import { type SimulationResult, simulate } from './simulation.ts';

const STEPS = 1_500;
const SEEDS = Array.from({ length: 16 }, (_, number) => number + 1);
/** A busy machine takes its time. */
const LONG_MS = 120_000;

/** What to read when a seed fails, and how to run it again. */
function report({ seed, steps, recent, failure }: SimulationResult): string {
  const again = `node packages/metadata-sim/src/main.ts --seed ${seed} --steps ${steps}`;
  return `${recent.join('\n')}\n${failure?.stack}\nagain: ${again}`;
}

describe('a cluster under crashes, lost answers, repeated requests and two owners', () => {
  it.each(SEEDS)(
    'keeps every promise with seed %i',
    async (seed) => {
      const result = await simulate(seed, STEPS);
      expect(result.failure, report(result)).toBeNull();
      expect(result.acknowledgedBatches).toBeGreaterThan(300);
      expect(result.audits).toBeGreaterThan(STEPS / 150);
    },
    LONG_MS,
  );

  it(
    'sees consumers get their assignments again and again',
    async () => {
      const results = await Promise.all(SEEDS.slice(0, 4).map((seed) => simulate(seed, STEPS)));
      expect(results.reduce((sum, { assignments }) => sum + assignments, 0)).toBeGreaterThan(50);
    },
    LONG_MS,
  );

  it(
    'runs a seed twice with the same trace, and another seed with another',
    async () => {
      const [first, second, other] = [await simulate(7, STEPS), await simulate(7, STEPS), await simulate(8, STEPS)];
      expect(second.traceHash).toBe(first.traceHash);
      expect(second.events).toBe(first.events);
      expect(other.traceHash).not.toBe(first.traceHash);
    },
    LONG_MS,
  );
});

describe('the auditor', () => {
  it.each(Object.keys(MUTANTS))(
    'notices a cluster that %s',
    async (name) => {
      const behaviour = MUTANTS[name];
      expect(behaviour).toBeDefined();
      let noticed: Error | null = null;
      for (let seed = 1; seed <= 5 && noticed === null; seed += 1) {
        noticed = (await simulate(seed, STEPS, behaviour)).failure;
      }
      expect(noticed).toBeInstanceOf(AuditFailure);
    },
    LONG_MS,
  );
});
