import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { applyMigrations, diffSchemas } from './migrations.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const databases: TestDatabase[] = [];

async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase({ isMigrated: false });
  databases.push(database);
  return database.ownerUrl;
}

afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.drop()));
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Every column and index of the public schema, from PostgreSQL's catalogue. */
async function catalogue(url: string): Promise<{ columns: unknown[]; indexes: unknown[] }> {
  const columns = await query(
    url,
    `SELECT table_name, column_name, data_type, is_nullable, column_default, datetime_precision
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'
     ORDER BY table_name, column_name`,
  );
  const indexes = await query(
    url,
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
     AND indexname NOT IN ('virtual_cluster_live_name_key', 'invitation_pending_key', 'mail_waiting_idx', 'invoice_month_key',
       'webhook_delivery_waiting_idx', 'stripe_call_waiting_idx', 'stripe_event_waiting_idx',
       'health_finding_open_key', 'health_finding_untold_idx', 'sso_domain_verified_key', 'scim_user_user_name_key',
       'scim_user_address_key') ORDER BY indexdef`,
  );
  return { columns, indexes };
}

describe('migrations', () => {
  test('the migrations produce exactly what schema.prisma describes', async () => {
    const migrated = await emptyDatabase();
    const described = await emptyDatabase();
    await applyMigrations(migrated);
    await query(described, await diffSchemas(described, undefined));
    const expected = await catalogue(described);
    expect(expected.columns.length).toBeGreaterThan(50);
    expect(await catalogue(migrated)).toEqual(expected);
  });

  test('a second run applies nothing', async () => {
    const url = await emptyDatabase();
    expect((await applyMigrations(url)).length).toBeGreaterThan(0);
    expect(await applyMigrations(url)).toEqual([]);
  });

  test('two concurrent processes apply each migration once', async () => {
    const url = await emptyDatabase();
    const [first, second] = await Promise.all([applyMigrations(url), applyMigrations(url)]);
    expect([first.length === 0, second.length === 0].sort()).toEqual([false, true]);
    const rows = await query(url, 'SELECT migration_name FROM _prisma_migrations');
    expect(rows).toHaveLength(Math.max(first.length, second.length));
  });

  test('journal entries and snapshots are stored without compression', async () => {
    const url = await emptyDatabase();
    await applyMigrations(url);
    const rows = await query(
      url,
      `SELECT attstorage FROM pg_attribute WHERE (attrelid = 'metadata_journal'::regclass AND attname = 'entry')
       OR (attrelid = 'metadata_snapshot'::regclass AND attname = 'bytes')`,
    );
    expect(rows).toEqual([{ attstorage: 'e' }, { attstorage: 'e' }]);
  });
});
