import { describe, expect, test } from 'vitest';
import { runSeeds } from '../runner.ts';
import { mutatedSource } from './install-mutant.ts';
import { MUTANTS } from './mutants.ts';

const JOBS = 2;
/** The mutant that is hardest to detect needs a third of these. */
const MOST_SEEDS = 400;

/**
 * Per mutant, a seed that detected it when this was written. It is tried first, only because that is faster: a change of the service or of
 * the simulation gives seeds other histories, and then all are tried in turn.
 */
const LIKELY_SEEDS: Readonly<Record<string, number>> = {
  'answers-before-durable': 2,
  'reads-before-durable': 2,
  'reads-without-lease': 4,
  'ignores-fence': 11,
  'goes-on-after-uncertain-append': 2,
  'publishes-before-durable': 20,
  'opens-without-marker': 67,
  'drops-dedupe': 2,
  'accepts-sequence-gaps': 1,
  'reuses-offsets': 1,
  'truncates-too-much': 1,
  'takes-live-files': 2,
  'deletes-without-grace': 22,
  'knows-no-files': 1,
  'loses-committed-offsets': 1,
  'doubles-assignments': 1,
  'forgets-static-members': 7,
  'bills-duplicates': 2,
  'reuses-producer-ids': 1,
  'snapshot-without-producers': 21,
  'snapshot-without-groups': 2,
  'snapshot-without-users': 1,
  'keeps-users-from-agents': 1,
  'snapshot-of-undurable-state': 4,
  'trusts-lapsed-leases': 37,
  'keeps-lost-leases': 53,
  'forgets-file-answers': 5,
  'accepts-old-epochs': 15,
  'commits-old-files': 6,
  'collects-by-agents-clocks': 3,
  'answers-wrong-offset': 2,
  'meters-too-little': 2,
  'swaps-without-comparing': 25,
  'swaps-over-truncation': 3,
  'shifts-compacted-runs': 67,
  'swaps-without-grace': 96,
  'refuses-repeated-swaps': 3,
  'meters-merged-files': 2,
  'skips-predecessor-check': 3,
  'ignores-witnesses': 2,
  'serves-stopped-clusters': 2,
  'shows-open-transactions': 1,
  'truncates-aborted-transactions': 4,
  'compacts-open-transactions': 6,
  'forgets-aborted-transactions': 5,
  'names-aborted-transactions-to-one-reader': 5,
  'remembers-aborted-transactions': 5,
  'merges-other-markers': 2,
  'accepts-late-transactional-batches': 5,
  'commits-offsets-on-abort': 2,
  'snapshot-without-transactions': 4,
  'leaves-transactions-open': 4,
  'assigns-before-release': 4,
  'ignores-epochs-of-commits': 8,
  'keeps-bytes-of-dropped-runs': 2,
  'leaves-dead-files-unqueued': 1,
  'leaves-offsets-uncounted': 1,
};

test('mutants are many and uniquely named', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
});

test.each(MUTANTS)('$name still applies to the current code', (mutant) => {
  for (const change of mutant.guard === undefined ? [mutant] : [mutant, mutant.guard]) {
    expect(mutatedSource(change)).toContain(change.to);
  }
});

/** The seed that detected it; undefined if none did. */
async function noticedBy(mutant: string, seeds: { first: number; count: number }): Promise<number | undefined> {
  const reports = await runSeeds({ ...seeds, jobs: JOBS, mutant, stopAtFailure: true });
  return reports.find(({ failure }) => failure !== null && failure !== '')?.seed;
}

describe('the simulation notices a service that', () => {
  test.each(MUTANTS)('$name', async ({ name }) => {
    const likely = LIKELY_SEEDS[name];
    if (likely !== undefined && (await noticedBy(name, { first: likely, count: 1 })) !== undefined) {
      return;
    }
    const seed = await noticedBy(name, { first: 1, count: MOST_SEEDS });
    expect(seed).toBeDefined();
    console.warn(`${name}: the likely seed is ${seed} now, not ${likely}. Change it, and this test is faster.`);
  });
});
