import { afterEach, expect, test } from 'vitest';
import { foldClusters } from './fold-clusters.ts';
import { foldBounds, foldJournal, foldJournals } from './fold-journal.ts';
import { entryOf, setUpJournals } from './testing/journal-fixture.ts';

const journals = setUpJournals();

// Also after a kill at any point, and with concurrent workers.
afterEach(async () => {
  expect(await journals.wrongTotals()).toEqual([]);
});
const start = Date.parse('2026-11-21T09:30:00Z');

function entries(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) =>
    entryOf(start + index * 60_000, {
      files: 1,
      uncompressedBytes: index + 1,
      clusterMinutes: index % 2,
    }),
  );
}

async function newJournals(counts: readonly number[]): Promise<string[]> {
  const clusterIds: string[] = [];
  for (const count of counts) {
    const clusterId = await journals.newCluster();
    await journals.appendAll(clusterId, entries(count));
    clusterIds.push(clusterId);
  }
  return clusterIds;
}

async function rowsOf(clusterIds: readonly string[]): Promise<unknown[]> {
  return Promise.all(clusterIds.map((clusterId) => journals.foldedRows(clusterId)));
}

async function foldAlone(clusterIds: readonly string[]): Promise<unknown[]> {
  for (const clusterId of clusterIds) {
    while (!(await foldJournal(journals.metering, journals.cells, clusterId)).isCaughtUp) {}
  }
  return rowsOf(clusterIds);
}

test('many clusters at once fold to the rows of each alone', async () => {
  const clusterIds = await newJournals([0, 1, 2, 61, 130, 200]);
  const alone = await foldAlone(clusterIds);
  await Promise.all(clusterIds.map((clusterId) => journals.unfold(clusterId)));
  const { foldedEntries, failed, unfinished } = await foldClusters(journals.metering, journals.cells, clusterIds);
  expect({ foldedEntries, failed, unfinished }).toEqual({ foldedEntries: 394, failed: [], unfinished: [] });
  // A cluster without entries has a checkpoint either way.
  expect(await rowsOf(clusterIds)).toEqual(alone);
});

test.each([
  ['entries', { entries: 7, bytes: foldBounds.bytes }],
  ['bytes', { entries: 1_000, bytes: 300 }],
])('sections bounded in %s name the clusters that have more', async (_name, bounds) => {
  const clusterIds = await newJournals([1, 40, 3, 90]);
  const alone = await foldAlone(clusterIds);
  await Promise.all(clusterIds.map((clusterId) => journals.unfold(clusterId)));
  let waiting = clusterIds;
  let rounds = 0;
  while (waiting.length > 0) {
    ({ unfinished: waiting } = await foldJournals(journals.metering, journals.cells, waiting, { bounds }));
    rounds += 1;
    expect(rounds).toBeLessThan(200);
  }
  expect(rounds).toBeGreaterThan(2);
  expect(await rowsOf(clusterIds)).toEqual(alone);
});

test('a journal with a gap does not hold up the others', async () => {
  const clusterIds = await newJournals([5, 5, 5]);
  const [, broken = ''] = clusterIds;
  await journals.pool.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq = 3', [broken]);
  const { failed } = await foldClusters(journals.metering, journals.cells, clusterIds);
  expect(failed).toEqual([broken]);
  expect(await Promise.all(clusterIds.map((clusterId) => journals.checkpoint(clusterId)))).toEqual([
    '5',
    undefined,
    '5',
  ]);
});

test('concurrent workers fold overlapping clusters once', async () => {
  const clusterIds = await newJournals([30, 30, 30, 30, 30, 30]);
  const orders = [clusterIds, clusterIds.toReversed(), [...clusterIds.slice(3), ...clusterIds.slice(0, 3)]];
  await Promise.all(orders.map((order) => foldClusters(journals.metering, journals.cells, order)));
  for (const clusterId of clusterIds) {
    const ledger = await journals.ledger(clusterId);
    expect(ledger.reduce((sum, row) => sum + Number(row.uncompressed_bytes), 0)).toBe((30 * 31) / 2);
  }
});

test('leaves the rest when it is asked to end', async () => {
  const clusterIds = await newJournals([2]);
  const { foldedEntries, unfinished } = await foldClusters(journals.metering, journals.cells, clusterIds, () => true);
  expect({ foldedEntries, unfinished }).toEqual({ foldedEntries: 0, unfinished: clusterIds });
});
