// The transaction around a use-case, tested on a real PostgreSQL.
import { newId } from '@penstock/platform';
import { expect, test } from 'vitest';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { inTransaction } from './scope.ts';

const plane = setUpControlPlane();

test('a use-case over its time limit is rolled back as retryable', async () => {
  const email = `${newId()}@example.com`;
  const slow = inTransaction(
    plane.database,
    async (tx) => {
      await tx.user.create({ data: { id: newId(), name: 'Slow', email, emailVerified: true } });
      await tx.$executeRaw`SELECT pg_sleep(0.3)`;
      await tx.user.findMany({ where: { email } });
    },
    100,
  );
  await expect(slow).rejects.toMatchObject({ name: 'AppError', kind: 'unavailable', code: 'too_busy' });
  expect(await plane.database.user.count({ where: { email } })).toBe(0);
});

test('a failure inside a use-case is not reported as a timeout', async () => {
  const broken = inTransaction(plane.database, (tx) => tx.$executeRaw`SELECT 1 / 0`);
  await expect(broken).rejects.not.toMatchObject({ name: 'AppError' });
});
