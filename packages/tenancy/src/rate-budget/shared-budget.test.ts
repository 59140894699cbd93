import { RateLimiter } from '@penstock/platform';
import { describeSharedBudget } from '@penstock/platform/contract';
import { expect, test } from 'vitest';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { createSharedBudget, expireBudgets } from './shared-budget.ts';

const plane = setUpControlPlane();
const ask = { policy: 'api', quota: 100, windowMs: 60_000, spent: 0, wanted: 30 };

describeSharedBudget('in PostgreSQL', () => createSharedBudget(plane.database));

test('callers and policies have budgets of their own', async () => {
  const budget = createSharedBudget(plane.database);
  expect((await budget.borrow({ ...ask, caller: 'a' })).taken).toBe(30);
  expect((await budget.borrow({ ...ask, caller: 'b' })).taken).toBe(30);
  expect((await budget.borrow({ ...ask, caller: 'b', policy: 'other' })).taken).toBe(30);
});

test('two processes exceed a quota by at most a twentieth', async () => {
  const limiters = [0, 1].map(
    () => new RateLimiter('two', 400, 60_000, { shared: createSharedBudget(plane.database) }),
  );
  const verdicts = await Promise.all(
    Array.from({ length: 2_000 }, (_, at) => limiters[at % 2]?.take('caller', Date.now())),
  );
  const allowed = verdicts.filter((verdict) => verdict?.allowed).length;
  expect(allowed).toBeGreaterThanOrEqual(400);
  expect(allowed).toBeLessThanOrEqual(420);
});

test('an ended window starts anew and is deleted a minute later', async () => {
  const budget = createSharedBudget(plane.database);
  await budget.borrow({ ...ask, caller: 'late', spent: 100 });
  expect((await budget.borrow({ ...ask, caller: 'late' })).granted).toBe(0);
  await plane.database.$executeRaw`UPDATE rate_budget SET ends_at = now()`;
  expect(await budget.borrow({ ...ask, caller: 'late' })).toMatchObject({ granted: 30, taken: 30 });
  await plane.database.$executeRaw`UPDATE rate_budget SET ends_at = now() - interval '2 minutes'`;
  await budget.borrow({ ...ask, caller: 'running' });
  expect(await expireBudgets(plane.worker)).toBeGreaterThan(0);
  expect(await plane.database.rateBudget.count()).toBe(1);
});

test('the table holds no caller in the clear', async () => {
  await createSharedBudget(plane.database).borrow({ ...ask, caller: '198.51.100.7' });
  expect(JSON.stringify(await plane.database.rateBudget.findMany())).not.toContain('198.51.100.7');
});
