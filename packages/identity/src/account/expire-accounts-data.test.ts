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
    unverified: 0,
  });
  expect(await plane.database.session.findMany({ select: { expiresAt: true } })).toEqual([{ expiresAt: future }]);
  expect(await expireAccountsData(plane.worker, now)).toEqual({
    sessions: 0,
    verifications: 0,
    rateLimits: 0,
    throttles: 0,
    unverified: 0,
  });
});

test('an account whose address nobody verified is deleted after a day', async () => {
  const now = new Date();
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  const make = async (emailVerified: boolean, createdAt: Date) => {
    const id = newId();
    const email = `${id}@example.com`;
    await plane.database.user.create({ data: { id, email, name: 'Eve', emailVerified, createdAt } });
    const account = { providerId: 'credential', accountId: id, userId: id, password: 'hash' };
    await plane.database.account.create({ data: { id: newId(), ...account } });
    return id;
  };
  const [old, fresh, verified] = [
    await make(false, hoursAgo(25)),
    await make(false, hoursAgo(23)),
    await make(true, hoursAgo(25)),
  ];
  expect(await expireAccountsData(plane.worker, now)).toMatchObject({ unverified: 1 });
  const left = await plane.database.user.findMany({ where: { id: { in: [old, fresh, verified] } } });
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([fresh, verified]));
});
