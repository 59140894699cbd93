// Tenant isolation by the database alone: these queries bypass all of our code.
import { createTestDatabase, type TestDatabase } from '@penstock/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const OWN = 'own-organization';
const OTHER = 'other-organization';

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Column {
  name: string;
  type: string;
}
interface Table {
  /** Includes the schema. */
  name: string;
  columns: Column[];
  hasRowSecurity: boolean;
}

/** All of our tables except partitions, which are reached through their parent tables. */
async function tables(): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; rls: boolean; columns: Column[] }>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relrowsecurity AS rls,
      (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL)))
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
         AND a.attidentity = '' AND a.attgenerated = '') AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'telemetry') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> '_prisma_migrations' ORDER BY 1`);
  return rows.map(({ name, rls, columns }) => ({ name, columns, hasRowSecurity: rls }));
}

const has = (table: Table, column: string) => table.columns.some(({ name }) => name === column);

const values: Readonly<Record<string, string>> = {
  text: 'gen_random_uuid()::text',
  uuid: 'gen_random_uuid()',
  bytea: "decode(md5(random()::text), 'hex')",
  boolean: 'true',
  jsonb: "'{}'",
  integer: '1',
  bigint: '1',
  numeric: '1',
  date: 'now()::date',
  'timestamp with time zone': 'now()',
};

/** SQL that inserts one row of an organization into a table, with meaningless values. */
function insertion({ name, columns }: Table, organizationId: string): string {
  const cells = columns.map((column) =>
    column.name === 'organization_id' ? `'${organizationId}'` : (values[column.type] ?? 'NULL'),
  );
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  return `INSERT INTO ${name} (${names}) VALUES (${cells.join(', ')})`;
}

/** Runs statements as a tenant, and rolls them back. */
async function asTenant<T>(organizationId: string | null, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT set_config('penstock.organization_id', $1, true), set_config('role', $2, true)", [
      organizationId ?? '',
      'penstock_tenant',
    ]);
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

async function countOf(sql: string): Promise<number> {
  const { rows, rowCount } = await client.query<{ count?: string }>(sql);
  return rows[0]?.count === undefined ? (rowCount ?? 0) : Number(rows[0].count);
}

describe('the tenant role', () => {
  test('is subject to row-level security', async () => {
    const { rows } = await client.query(
      "SELECT rolsuper, rolbypassrls, rolcanlogin FROM pg_roles WHERE rolname = 'penstock_tenant'",
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false }]);
  });

  test('reaches no table without it, except the sequence of invoice numbers', async () => {
    const reached: string[] = [];
    for (const { name, hasRowSecurity } of await tables()) {
      const { rows } = await client.query<{ reached: boolean }>(
        "SELECT has_any_column_privilege('penstock_tenant', $1, 'SELECT, INSERT, UPDATE') AS reached",
        [name],
      );
      if (rows[0]?.reached === true && !hasRowSecurity) {
        reached.push(name);
      }
    }
    expect(reached).toEqual(['public.invoice_counter']);
  });

  test.each(['account', 'verification', 'two_factor', 'passkey', 'auth_throttle', 'stripe_event'])(
    'cannot see %s at all',
    async (table) => {
      await expect(asTenant(OWN, () => client.query(`SELECT 1 FROM ${table}`))).rejects.toThrow('permission denied');
    },
  );
});

test('every table whose rows name an organization or a cluster has row-level security', async () => {
  const open = (await tables()).filter(
    (table) => (has(table, 'organization_id') || has(table, 'cluster_id')) && !table.hasRowSecurity,
  );
  // The worker's list of due roll-ups. No tenant role can reach it.
  expect(open.map(({ name }) => name)).toEqual(['telemetry.due']);
});

describe('a row of another organization', () => {
  let tenantTables: Table[];

  beforeAll(async () => {
    tenantTables = (await tables()).filter(
      (table) => has(table, 'organization_id') && !table.name.startsWith('telemetry.'),
    );
    // Inserts meaningless rows into every table, without checking references and triggers.
    await client.query("SET session_replication_role = 'replica'");
    for (const table of tenantTables) {
      const { rows } = await client.query<{ conname: string }>(
        "SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'",
        [table.name],
      );
      for (const { conname } of rows) {
        await client.query(`ALTER TABLE ${table.name} DROP CONSTRAINT "${conname}"`);
      }
      for (const organizationId of [OWN, OTHER]) {
        await client.query(insertion(table, organizationId));
      }
    }
    await client.query("SET session_replication_role = 'origin'");
  });

  test('is present in so many tables that the tests below are meaningful', () => {
    expect(tenantTables.length).toBeGreaterThan(12);
  });

  test('is not read, even if the query selects all', async () => {
    for (const { name } of tenantTables) {
      const seen = await asTenant(
        OWN,
        async () => (await client.query<{ organization_id: string }>(`SELECT organization_id FROM ${name}`)).rows,
      );
      expect(
        seen.map((row) => row.organization_id),
        name,
      ).toEqual([OWN]);
    }
  });

  test('is not read without a current organization', async () => {
    for (const { name } of tenantTables) {
      expect(await asTenant(null, () => countOf(`SELECT count(*) FROM ${name}`)), name).toBe(0);
    }
  });

  test('can be neither changed, deleted nor inserted', async () => {
    for (const table of tenantTables) {
      const { name } = table;
      // A trigger writes the heads of the audit log's chains.
      const isForReading = name === 'public.audit_head';
      const isForAdding = name === 'public.audit_log' || isForReading;
      const touch = (sql: string) => asTenant(OWN, () => countOf(sql));
      for (const sql of [
        `UPDATE ${name} SET organization_id = organization_id WHERE organization_id = '${OTHER}'`,
        `DELETE FROM ${name} WHERE organization_id = '${OTHER}'`,
      ]) {
        if (isForAdding) {
          await expect(touch(sql), name).rejects.toThrow('permission denied');
        } else {
          expect(await touch(sql), name).toBe(0);
        }
      }
      await expect(touch(insertion(table, OTHER)), name).rejects.toThrow(
        isForReading ? 'permission denied' : 'row-level security',
      );
      if (!isForAdding) {
        // Or by a rule of the table itself that comes first, e.g. that an invoice is final.
        await expect(touch(`UPDATE ${name} SET organization_id = '${OTHER}'`), name).rejects.toThrow();
      }
    }
  });
});
