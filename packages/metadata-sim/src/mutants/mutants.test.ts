import { describe, expect, test } from 'vitest';
import { runSeeds } from '../runner.ts';
import { mutatedSource } from './install-mutant.ts';
import { MUTANTS } from './mutants.ts';

const JOBS = 2;
/** The mutant that is hardest to detect needs an eighth of these. */
const MOST_SEEDS = 400;

/**
 * Per mutant, a seed that detected it when this was written. It is tried first, only because that is faster: a change of the service or of
 * the simulation gives seeds other histories, and then all are tried in turn.
 */
const LIKELY_SEEDS: Readonly<Record<string, number>> = {
  'answers-before-durable': 1,
  'reads-before-durable': 2,
  'reads-without-lease': 12,
  'ignores-fence': 6,
  'goes-on-after-uncertain-append': 2,
  'publishes-before-durable': 48,
  'opens-without-marker': 48,
  'drops-dedupe': 2,
  'accepts-sequence-gaps': 2,
  'reuses-offsets': 1,
  'truncates-too-much': 1,
  'takes-live-files': 4,
  'deletes-without-grace': 1,
  'knows-no-files': 1,
  'loses-committed-offsets': 1,
  'doubles-assignments': 2,
  'forgets-static-members': 5,
  'bills-duplicates': 2,
  'reuses-producer-ids': 2,
  'snapshot-without-producers': 5,
  'snapshot-without-groups': 5,
  'snapshot-of-undurable-state': 5,
  'trusts-lapsed-leases': 20,
  'keeps-lost-leases': 28,
  'forgets-file-answers': 4,
  'accepts-old-epochs': 46,
  'commits-old-files': 1,
  'collects-by-agents-clocks': 1,
  'answers-wrong-offset': 1,
  'meters-too-little': 2,
  'swaps-without-comparing': 8,
  'swaps-over-truncation': 10,
  'shifts-compacted-runs': 5,
  'swaps-without-grace': 30,
  'refuses-repeated-swaps': 7,
  'meters-merged-files': 2,
};

test('there are many ways to be wrong, each with a name of its own', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
});

test.each(MUTANTS)('$name changes the code as it is today', (mutant) => {
  for (const change of mutant.guard === undefined ? [mutant] : [mutant, mutant.guard]) {
    expect(mutatedSource(change)).toContain(change.to);
  }
});

async function isNoticed(mutant: string, seeds: { first: number; count: number }): Promise<boolean> {
  const reports = await runSeeds({ ...seeds, jobs: JOBS, mutant, stopAtFailure: true });
  return reports.some(({ failure }) => failure !== null && failure !== '');
}

describe('the simulation notices a service that', () => {
  test.each(MUTANTS)('$name', async ({ name }) => {
    const likely = LIKELY_SEEDS[name];
    const isNoticedAtOnce = likely !== undefined && (await isNoticed(name, { first: likely, count: 1 }));
    expect(isNoticedAtOnce || (await isNoticed(name, { first: 1, count: MOST_SEEDS }))).toBe(true);
  });
});
