import { expect, test } from 'vitest';
import { runSeeds } from './runner.ts';

const JOBS = 2;
/** 200 seeds, in parts that a busy machine simulates well before a test counts as hanging. */
const PARTS = Array.from({ length: 8 }, (_, part) => 1 + part * 25);
const SEEDS_PER_PART = 25;

// Faults of clocks, processes, network, PostgreSQL and object storage.
test.each(PARTS)('a cluster under faults keeps every promise: seed %d and on', async (first) => {
  const reports = await runSeeds({ first, count: SEEDS_PER_PART, jobs: JOBS, stopAtFailure: true });
  const broken = reports.find(({ failure }) => failure !== null);
  const story = `${broken?.recent.join('\n')}\n${broken?.failure}\nagain: npm run sim -- --seed ${broken?.seed} --verbose`;
  expect(broken, story).toBeUndefined();
  expect(reports).toHaveLength(SEEDS_PER_PART);
  const sum = (of: 'acknowledgedBatches' | 'runsRead' | 'assignments' | 'swaps' | 'compactions') =>
    reports.reduce((total, report) => total + report[of], 0) / SEEDS_PER_PART;
  // A run in which nothing happens breaks no promise either.
  expect(sum('acknowledgedBatches')).toBeGreaterThan(100);
  expect(sum('runsRead')).toBeGreaterThan(50);
  expect(sum('assignments')).toBeGreaterThan(5);
  expect(sum('swaps')).toBeGreaterThan(4);
  expect(sum('compactions')).toBeGreaterThan(0.5);
});

test('each seed gives its own history in every process', async () => {
  const [here, there] = await Promise.all([
    runSeeds({ first: 7, count: 2, jobs: 1, stopAtFailure: true }),
    runSeeds({ first: 7, count: 2, jobs: 2, stopAtFailure: true }),
  ]);
  expect(there.map(({ traceHash, events }) => [traceHash, events])).toEqual(
    here.map(({ traceHash, events }) => [traceHash, events]),
  );
  expect(here[0]?.traceHash).not.toBe(here[1]?.traceHash);
});
