// The drill of infra/docs/metadata-recovery.md.
import { expect, test } from 'vitest';
import { runRestoreDrill } from './support/restore-drill.ts';

test('a restore gives back what was acknowledged before the dump', async () => {
  const outcome = await runRestoreDrill({ windowHours: 24, records: 100_000, say: (line) => console.info(line) });
  console.info(JSON.stringify(outcome));
  expect(outcome).toMatchObject({ missing: 0, staleKeys: 0, missingObjects: 0 });
  expect(outcome.acknowledged).toBeGreaterThanOrEqual(100_000);
  expect(outcome.keys).toBe(500);
  expect(outcome.waiting).toBeGreaterThan(0);
});
