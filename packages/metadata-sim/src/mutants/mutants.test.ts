import { describe, expect, test } from 'vitest';
import { runSeeds } from '../runner.ts';
import { mutatedSource } from './install-mutant.ts';
import { MUTANTS } from './mutants.ts';

const JOBS = 2;
/** The mutant that is hardest to detect needs a part of these. */
const MOST_SEEDS = 2_400;

/**
 * Per mutant, a seed that detected it when this was written. It is tried first, only because that is faster: a change of the service or of
 * the simulation gives seeds other histories, and then all are tried in turn.
 */
const LIKELY_SEEDS: Readonly<Record<string, number>> = {
  'answers-before-durable': 22,
  'reads-before-durable': 10,
  'reads-without-lease': 7,
  'ignores-fence': 22,
  'goes-on-after-uncertain-append': 10,
  'publishes-before-durable': 6,
  'opens-without-marker': 2135,
  'drops-dedupe': 17,
  'accepts-sequence-gaps': 17,
  'reuses-offsets': 20,
  'truncates-too-much': 18,
  'takes-live-files': 4,
  'deletes-without-grace': 17,
  'knows-no-files': 17,
  'loses-committed-offsets': 7,
  'doubles-assignments': 24,
  'forgets-static-members': 19,
  'bills-duplicates': 24,
  'reuses-producer-ids': 17,
  'snapshot-without-producers': 18,
  'snapshot-without-groups': 19,
  'snapshot-without-users': 33,
  'keeps-users-from-agents': 23,
  'snapshot-of-undurable-state': 17,
  'trusts-lapsed-leases': 40,
  'keeps-lost-leases': 121,
  'forgets-file-answers': 6,
  'accepts-old-epochs': 15,
  'commits-old-files': 17,
  'collects-by-agents-clocks': 21,
  'answers-wrong-offset': 20,
  'meters-too-little': 24,
  'swaps-without-comparing': 24,
  'swaps-over-truncation': 24,
  'shifts-compacted-runs': 105,
  'swaps-without-grace': 29,
  'refuses-repeated-swaps': 20,
  'meters-merged-files': 24,
  'skips-predecessor-check': 49,
  'ignores-witnesses': 44,
  'serves-stopped-clusters': 49,
};

test('there are many ways to be wrong, each with a name of its own', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
});

test.each(MUTANTS)('$name changes the code as it is today', (mutant) => {
  expect(mutatedSource(mutant)).toContain(mutant.to);
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
