// The agents of a zone share what they fetch. `npm run fault -- zones` is the long version.
import { expect, test } from 'vitest';
import { runZones } from './support/zone-run.ts';

/** The guarantee: at most this many GETs per file and zone, with three readers in each zone. */
const LIMIT = 1.1;
/** A limit that only hanging clients reach. */
const LONGEST_GAP_MS = 30_000;

// Nor a suspended or killed one.
test('a zone fetches each file once and no slow agent stalls it', async () => {
  const { files, gets, peerReads, hedges, faults, wrong } = await runZones({ counted_ms: 4_000, fault_ms: 2_000 });
  expect(wrong).toEqual([]);
  expect(files).toBeGreaterThan(0);
  expect(peerReads).toBeGreaterThan(0);
  // On a busy machine a peer may be slow, and agents then correctly read from the bucket.
  expect(gets - hedges).toBeLessThanOrEqual(LIMIT * 3 * files);
  expect(faults.filter((fault) => fault.longestGapMs > LONGEST_GAP_MS)).toEqual([]);
});
