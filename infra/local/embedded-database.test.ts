import { createTestDatabase } from '@penstock/database/testing';
import { expect, test } from 'vitest';
import { ensureEmbeddedDatabase } from './embedded-database.ts';

test('a folder whose data belongs to the superuser is refused', async () => {
  const database = await createTestDatabase();
  try {
    await expect(ensureEmbeddedDatabase(database.url, 'password')).rejects.toThrow(/belongs to the superuser/);
  } finally {
    await database.drop();
  }
});
