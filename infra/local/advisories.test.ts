import { expect, test } from 'vitest';
import { findFaults, registryAdvisories } from './advisories.ts';
import { npmPackages, readLockfiles, reviewReport } from './version-floors.ts';

const REVIEWED_ON = '2001-03-01';
const NOW_MS = Date.parse('2001-03-31T12:00:00Z');
const DAY_MS = 86_400_000;

/** A registry that answers every request so. */
const registry = (status: number, body: unknown): typeof fetch => {
  return () => Promise.resolve(new Response(JSON.stringify(body), { status }));
};

test('an overdue review of the floors is only reported', async () => {
  const none = () => Promise.resolve([]);
  const yearsLater = await findFaults(NOW_MS + 3_650 * DAY_MS, none, REVIEWED_ON);
  expect(yearsLater.faults).toEqual([]);
  expect(yearsLater.notes[0]).toContain('set FLOORS_REVIEWED_ON to today');
});

test('a review counts for 30 days', () => {
  expect(reviewReport(NOW_MS, REVIEWED_ON)).toBe('The version floors were last reviewed on 2001-03-01, 30 days ago.');
  expect(reviewReport(NOW_MS + DAY_MS, REVIEWED_ON)).toContain('31 days ago. A review is due every 30 days.');
});

// That only leaves a note.
test('fails on advisories, not on a registry without the service', async () => {
  const advisory = { title: 'Prototype pollution', severity: 'high', url: 'https://x', vulnerable_versions: '<1.2.6' };
  const found = await registryAdvisories(
    'https://r.example/',
    { minimist: ['1.2.0'] },
    registry(200, { minimist: [advisory] }),
  );
  expect(found).toEqual(['minimist 1.2.0 (affected: <1.2.6), high: Prototype pollution. https://x']);
  const { faults } = await findFaults(NOW_MS, () => Promise.resolve(['minimist 1.2.0']));
  expect(faults).toEqual(['minimist 1.2.0']);
  const missing = await registryAdvisories('https://r.example', {}, registry(405, {}));
  expect(missing).toEqual({ reason: 'status 405' });
  const { faults: withoutService, notes } = await findFaults(NOW_MS, () => Promise.resolve({ reason: 'status 405' }));
  expect(withoutService).toEqual([]);
  expect(notes).toContainEqual(expect.stringContaining('status 405'));
});

test('sends every package of the lockfile, in every version', () => {
  const text =
    "packages:\n\n  '@a/b@1.0.0':\n    resolution: {}\n\n  c@1.0.0:\n\n  c@2.0.0-rc.1:\n\nsnapshots:\n\n  d@1.0.0: {}\n";
  expect(npmPackages(text)).toEqual({ '@a/b': ['1.0.0'], c: ['1.0.0', '2.0.0-rc.1'] });
  const all = npmPackages(readLockfiles()['pnpm-lock.yaml']);
  expect(Object.keys(all).length).toBeGreaterThan(500);
  expect(all['next']).toBeDefined();
});
