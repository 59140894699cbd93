// The contract of SharedBudget. The tests of the limiter run it on their budget in memory, those of tenancy on PostgreSQL's.
import { expect, test } from 'vitest';
import type { SharedBudget } from '../rate-limiter.ts';

/** @param newBudget a budget that nobody has borrowed from */
export function describeSharedBudget(name: string, newBudget: () => SharedBudget): void {
  const ask = { policy: 'contract', caller: name, quota: 100, windowMs: 60_000, spent: 0, wanted: 30 };

  test(`${name}: loans at once never exceed the quota`, async () => {
    const budget = newBudget();
    const own = { ...ask, caller: `${name}, at once` };
    const loans = await Promise.all(Array.from({ length: 8 }, () => budget.borrow(own)));
    expect(loans.map(({ granted }) => granted).sort((one, other) => other - one)).toEqual([30, 30, 30, 10, 0, 0, 0, 0]);
    expect(Math.max(...loans.map(({ taken }) => taken))).toBe(100);
    expect(Math.min(...loans.map(({ leftMs }) => leftMs))).toBeGreaterThan(0);
  });

  test(`${name}: what was spent unasked counts, even beyond the quota`, async () => {
    const budget = newBudget();
    const own = { ...ask, caller: `${name}, unasked` };
    expect(await budget.borrow({ ...own, spent: 90 })).toMatchObject({ granted: 10, taken: 100 });
    expect(await budget.borrow({ ...own, spent: 5 })).toMatchObject({ granted: 0, taken: 105 });
  });
}
