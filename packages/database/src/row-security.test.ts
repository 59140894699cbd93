// Tenant isolation by the database alone: these queries bypass all of our code.

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillTables, has, insertion, type Table, tablesOf } from './testing/tables.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

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

  test('reaches no table without it', async () => {
    const reached: string[] = [];
    for (const { name, hasRowSecurity } of await tablesOf(client)) {
      const { rows } = await client.query<{ reached: boolean }>(
        "SELECT has_any_column_privilege('penstock_tenant', $1, 'SELECT, INSERT, UPDATE') AS reached",
        [name],
      );
      if (rows[0]?.reached === true && !hasRowSecurity) {
        reached.push(name);
      }
    }
    expect(reached).toEqual([]);
  });

  test.each(['account', 'verification', 'two_factor', 'passkey', 'auth_throttle', 'stripe_event'])(
    'cannot see %s at all',
    async (table) => {
      await expect(asTenant(OWN, () => client.query(`SELECT 1 FROM ${table}`))).rejects.toThrow('permission denied');
    },
  );
});

/** Tables that use-cases of a tenant only read. */
const readOnly = [
  'public.agent_key_deed',
  'public.api_key_network',
  'public.api_key_refusal',
  'public.audit_head',
  'public.organization_suspension',
  'public.usage_hold',
];

describe('a row of another organization', () => {
  let tenantTables: Table[];

  beforeAll(async () => {
    tenantTables = (await tablesOf(client)).filter(
      (table) => has(table, 'organization_id') && !table.name.startsWith('telemetry.'),
    );
    await fillTables(client, tenantTables, [OWN, OTHER]);
  });

  test('is present in enough tables for the tests below', () => {
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
      // A trigger writes the heads of the audit log's chains, and operators suspend organizations.
      // The worker holds usage, and operators review it.
      const isForReading = readOnly.includes(name);
      const isForAdding = name === 'public.audit_log' || name === 'public.credit_claim' || isForReading;
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
