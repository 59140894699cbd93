import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './test-database.ts';

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('a test database is migrated and as durable as a real one', async () => {
  const database = await createTestDatabase();
  try {
    expect(await query(database.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    const applied = await query(
      database.url,
      'select count(*)::int as n from _prisma_migrations where finished_at is not null',
    );
    expect(applied[0]?.['n']).toBeGreaterThan(0);
  } finally {
    await database.drop();
  }
});

test('two test databases are isolated', async () => {
  const [first, second] = await Promise.all([
    createTestDatabase({ isMigrated: false }),
    createTestDatabase({ isMigrated: false }),
  ]);
  try {
    await query(first.url, 'create table only_here (id int)');
    expect(await query(second.url, "select to_regclass('only_here') as found")).toEqual([{ found: null }]);
  } finally {
    await Promise.all([first.drop(), second.drop()]);
  }
});

test('a dropped test database is gone, despite open connections', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  const straggler = new pg.Client({ connectionString: database.url });
  straggler.on('error', () => undefined);
  await straggler.connect();
  await database.drop();
  await expect(query(database.url, 'select 1')).rejects.toThrow(/does not exist/);
});
