import { expect, test } from 'vitest';
import { findFaults, registryAdvisories } from './advisories.ts';
import { FLOORS_REVIEWED_ON, npmPackages, readLockfiles, reviewFault } from './version-floors.ts';

const reviewedMs = Date.parse(`${FLOORS_REVIEWED_ON}T12:00:00Z`);
const DAY_MS = 86_400_000;

/** A registry that answers every request so. */
const registry = (status: number, body: unknown): typeof fetch => {
  return () => Promise.resolve(new Response(JSON.stringify(body), { status }));
};

test('floors that nobody has reviewed for more than 30 days fail, and the message says how to renew them', async () => {
  expect(reviewFault(reviewedMs + 30 * DAY_MS)).toBeNull();
  expect(reviewFault(reviewedMs + 31 * DAY_MS)).toContain('set FLOORS_REVIEWED_ON to today');
  const none = () => Promise.resolve([]);
  expect((await findFaults(reviewedMs + 30 * DAY_MS, none)).faults).toEqual([]);
  expect((await findFaults(reviewedMs + 31 * DAY_MS, none)).faults).toHaveLength(1);
});

test('advisories of the registry fail the check, and a registry without the service only leaves a note', async () => {
  const advisory = { title: 'Prototype pollution', severity: 'high', url: 'https://x', vulnerable_versions: '<1.2.6' };
  const found = await registryAdvisories(
    'https://r.example/',
    { minimist: ['1.2.0'] },
    registry(200, { minimist: [advisory] }),
  );
  expect(found).toEqual(['minimist 1.2.0 (affected: <1.2.6), high: Prototype pollution. https://x']);
  const { faults } = await findFaults(reviewedMs, () => Promise.resolve(['minimist 1.2.0']));
  expect(faults).toEqual(['minimist 1.2.0']);
  const missing = await registryAdvisories('https://r.example', {}, registry(405, {}));
  expect(missing).toEqual({ reason: 'status 405' });
  const { faults: withoutService, notes } = await findFaults(reviewedMs, () =>
    Promise.resolve({ reason: 'status 405' }),
  );
  expect(withoutService).toEqual([]);
  expect(notes[0]).toContain('status 405');
});

test('every package of the lockfile is sent, scoped names and several versions included', () => {
  const text =
    "packages:\n\n  '@a/b@1.0.0':\n    resolution: {}\n\n  c@1.0.0:\n\n  c@2.0.0-rc.1:\n\nsnapshots:\n\n  d@1.0.0: {}\n";
  expect(npmPackages(text)).toEqual({ '@a/b': ['1.0.0'], c: ['1.0.0', '2.0.0-rc.1'] });
  const all = npmPackages(readLockfiles()['pnpm-lock.yaml']);
  expect(Object.keys(all).length).toBeGreaterThan(500);
  expect(all['next']).toBeDefined();
});
