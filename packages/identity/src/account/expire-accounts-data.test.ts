import { newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { expect, test } from 'vitest';
import { expireAccountsData } from './expire-accounts-data.ts';

const plane = setUpControlPlane();

test('exactly the expired rows are deleted', async () => {
  const now = new Date();
  const [past, future] = [new Date(now.getTime() - 1), new Date(now.getTime() + 60_000)];
  const user = await plane.newUser();
  for (const expiresAt of [past, future]) {
    await plane.database.session.create({ data: { id: newId(), token: newId(), userId: user.id, expiresAt } });
    await plane.database.verification.create({ data: { id: newId(), identifier: 'x', value: 'y', expiresAt } });
  }
  for (const ageMs of [0, 25 * 60 * 60 * 1000]) {
    const lastRequest = BigInt(now.getTime() - ageMs);
    await plane.database.rateLimit.create({ data: { id: newId(), key: newId(), count: 1, lastRequest } });
    const startedAt = new Date(now.getTime() - ageMs);
    await plane.database.authThrottle.create({ data: { key: newId(), attempts: 1, startedAt } });
  }
  expect(await expireAccountsData(plane.worker, now)).toEqual({
    sessions: 1,
    verifications: 1,
    rateLimits: 1,
    throttles: 1,
  });
  expect(await plane.database.session.findMany({ select: { expiresAt: true } })).toEqual([{ expiresAt: future }]);
  expect(await expireAccountsData(plane.worker, now)).toEqual({
    sessions: 0,
    verifications: 0,
    rateLimits: 0,
    throttles: 0,
  });
});
