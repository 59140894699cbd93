// The short form of `npm run fault -- strangers`: each attack for two seconds.
import { expect, test } from 'vitest';
import { allAttacks, runStrangers } from './strangers/fault-run.ts';
import { judge } from './strangers/judge.ts';

test('a hostile tenant stops no other', async () => {
  const result = await runStrangers({ phase_ms: 2_000, attacks: allAttacks, fuzz_cpu_ms: 0, seed: 1, share: 0.5 });
  expect(judge(result)).toEqual([]);
  expect(result.phases.map(({ name }) => name)).toEqual(expect.arrayContaining(['quiet', 'honest', ...allAttacks]));
  expect(result.acknowledged).toBeGreaterThan(100);
});
