// The agents of a zone share what they fetch, as `npm run fault:zones` shows at length.
import { expect, test } from 'vitest';
import { runZones } from './support/zone-run.ts';

/** The promise: at most this many GETs per file and zone, with three readers in each zone. */
const LIMIT = 1.1;
/** Only for what hangs. */
const LONGEST_GAP_MS = 30_000;

test('a zone fetches a file once for all its readers, and an agent that is slow, suspended or killed stalls no reader of another', async () => {
  const { files, gets, peerReads, hedges, faults, wrong } = await runZones({ counted_ms: 4_000, fault_ms: 2_000 });
  expect(wrong).toEqual([]);
  expect(files).toBeGreaterThan(0);
  expect(peerReads).toBeGreaterThan(0);
  // On a busy machine a peer may be slow: then the bucket is asked as well, as it should be.
  expect(gets - hedges).toBeLessThanOrEqual(LIMIT * 3 * files);
  expect(faults.filter((fault) => fault.longestGapMs > LONGEST_GAP_MS)).toEqual([]);
});
