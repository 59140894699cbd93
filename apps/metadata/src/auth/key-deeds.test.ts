import { HOUR_MS } from '@penstock/units';
import { expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { KeyDeeds } from './key-deeds.ts';

/** The subjects and principals of the counts that were written. */
function deedsOf() {
  const clock = new ManualClock();
  const written: string[] = [];
  const pool = {
    query: async ({ values }: { values: unknown[] }) => {
      const [, , , subjects, principals, , calls] = values as string[][];
      subjects?.forEach((subject, at) => {
        written.push(`${subject} ${principals?.[at]} ${calls?.[at]}`);
      });
    },
  };
  const deeds = new KeyDeeds({
    pool: pool as never,
    clock,
    nowMs: () => clock.nowMs(),
    onNotRecorded: (error) => {
      throw error;
    },
  });
  return { deeds, clock, written };
}

test('counts invented clients and groups under bounded names', async () => {
  const { deeds, clock, written } = deedsOf();
  const note = (key: string, principal: string) =>
    deeds.note(key, 'commit-offsets', 'g', { principal, isVerified: false });
  for (let number = 0; number < 1_200; number += 1) {
    note('hostile', `User:${number}`);
    if (number % 100 === 0) {
      await deeds.flush();
    }
  }
  note('hostile', 'User:7');
  note('honest', 'User:alice');
  await deeds.flush();
  expect(written.filter((row) => row.includes('(others)')).length).toBeGreaterThan(0);
  expect(new Set(written.map((row) => row.split(' ')[1])).size).toBe(1_000 + 1 + 1);
  expect(written).toContain('g User:alice 1');
  written.length = 0;
  await clock.advance(HOUR_MS);
  note('hostile', 'User:new');
  await deeds.flush();
  expect(written).toEqual(['g User:new 1']);
});
