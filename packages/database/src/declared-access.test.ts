// Row security binds the owner of the tables: without a declared access it sees nothing (decision 0040).
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessRole, type DatabaseAccess, databaseAccesses, declareAccess } from '@penstock/platform';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyMigrations } from './migrations.ts';
import { forceRowSecurity, unforceRowSecurity } from './row-security.ts';
import { fillTables, type Table, tablesOf } from './testing/tables.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

/** The tables of each access, with the initials of SELECT, INSERT, UPDATE and DELETE. */
const NEEDED = {
  accounts: [
    '"user" SIUD',
    'account SIUD',
    'api_key SU',
    'api_key_network SI',
    'api_key_refusal SIU',
    'audit_log I',
    'auth_throttle SIUD',
    'familiar_address SIUD',
    'invitation SIUD',
    'mail SI',
    'member SIUD',
    'organization SIU',
    'passkey SIUD',
    'rate_budget SIUD',
    'rate_limit SIUD',
    'removed_member SIUD',
    'scim_group SIUD',
    'scim_group_member SIUD',
    'scim_token SU',
    'scim_user SIUD',
    'session SIUD',
    'sso_connection SU',
    'sso_domain SU',
    'two_factor SIUD',
    'verification SIUD',
  ],
  payments: ['billing_account S', 'invoice S', 'stripe_call SIU', 'stripe_event SIU'],
  metadata: [
    'agent_address SIUD',
    'agent_key SU',
    'agent_key_deed SIU',
    'agent_key_network SIUD',
    'billing_account S',
    'invoice S',
    'metadata_dead_file SIUD',
    'metadata_folded SIUD',
    'metadata_journal SIUD',
    'metadata_lease SIUD',
    'metadata_process SIUD',
    'metadata_snapshot SIUD',
    'metadata_stop SIUD',
    'metering_checkpoint SU',
    'organization S',
    'organization_suspension S',
    'virtual_cluster SU',
    'telemetry.agent SIUD',
    'telemetry.agent_10s SIUD',
    'telemetry.client_10s SI',
    'telemetry.client_hour SIU',
    'telemetry.credential_use SIUD',
    'telemetry.denied_request SIUD',
    'telemetry.due SIUD',
  ],
  metering: [
    'audit_log I',
    'billing_account SU',
    'invoice S',
    'late_usage SIUD',
    'metadata_folded SIUD',
    'metadata_journal S',
    'metadata_lease S',
    'metadata_meter_block SIUD',
    'metadata_snapshot S',
    'metadata_stop S',
    'metering_checkpoint SIUD',
    'usage_hour SIUD',
    'usage_month SIUD',
    'virtual_cluster S',
  ],
} as const;

let database: TestDatabase;
let superuser: Client;
let owner: Client;
let tables: Table[];

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await connect(database.url);
  owner = await connect(database.ownerUrl);
  tables = await tablesOf(superuser);
  // A partition for the rows of each partitioned table.
  const { rows } = await superuser.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'p' AND relnamespace = 'telemetry'::regnamespace",
  );
  for (const { name } of rows) {
    await owner.query(`CREATE TABLE ${name}_rows PARTITION OF ${name} DEFAULT`);
    await owner.query('SELECT telemetry.secure_partition($1)', [`${name}_rows`]);
  }
  await fillTables(superuser, tables, ['one', 'two']);
});
afterAll(async () => {
  await Promise.all([superuser.end(), owner.end()]);
  await database.drop();
});

/** Runs a statement and rolls it back. Returns the number of rows, or the error message. */
async function outcomeOf(client: Client, sql: string, access?: DatabaseAccess): Promise<number | string> {
  await client.query('BEGIN');
  try {
    if (access !== undefined) {
      await client.query(`SET LOCAL ROLE ${accessRole(access)}`);
    }
    return (await client.query(sql)).rowCount ?? 0;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.query('ROLLBACK');
  }
}

test('the owner of these tests is a role that row security binds', async () => {
  const { rows } = await owner.query(
    `SELECT rolsuper, rolbypassrls, (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid AND relname = 'member') AS owned
     FROM pg_roles WHERE rolname = current_user`,
  );
  expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, owned: 1 }]);
});

test('every table has row security, a policy, and binds its owner', async () => {
  const { rows } = await superuser.query<{ name: string }>(`
    SELECT c.oid::regclass::text AS name FROM pg_class c
    WHERE c.relnamespace IN ('public'::regnamespace, 'telemetry'::regnamespace) AND c.relkind IN ('r', 'p')
      AND c.relname <> '_prisma_migrations'
      AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid))`);
  expect(rows).toEqual([]);
  expect(tables.length).toBeGreaterThan(50);
});

describe('without a declared access, the owner', () => {
  test('sees no rows', async () => {
    for (const { name } of tables) {
      expect(await outcomeOf(superuser, `SELECT FROM ${name}`), name).toBeGreaterThan(0);
      expect(await outcomeOf(owner, `SELECT FROM ${name}`), name).toBe(0);
    }
  });

  test('changes, deletes and adds none', async () => {
    for (const { name, columns } of tables) {
      const column = `"${columns[0]?.name ?? ''}"`;
      // Tables that are only added to refuse any statement.
      const nothing = expect.toSatisfy((outcome: unknown) => outcome === 0 || /only added to/.test(String(outcome)));
      expect(await outcomeOf(owner, `UPDATE ${name} SET ${column} = ${column}`), name).toEqual(nothing);
      expect(await outcomeOf(owner, `DELETE FROM ${name}`), name).toEqual(nothing);
      expect(await outcomeOf(owner, `INSERT INTO ${name} DEFAULT VALUES`), name).toMatch(
        /row-level security|only added to|null value|organization|deleted|cannot insert|no partition/,
      );
    }
  });

  test('fails in a migration that touches rows instead of passing', async () => {
    await owner.query('SET row_security = off');
    try {
      expect(await outcomeOf(owner, 'UPDATE member SET role = role')).toMatch(/row-level security/);
    } finally {
      await owner.query('RESET row_security');
    }
  });
});

test('a dump may read where every sequence stands', async () => {
  const { rows } = await superuser.query<{ name: string; is_readable: boolean }>(`
    SELECT c.oid::regclass::text AS name, has_sequence_privilege('penstock_operator', c.oid, 'SELECT') AS is_readable
    FROM pg_class c WHERE c.relkind = 'S' AND c.relnamespace IN ('public'::regnamespace, 'telemetry'::regnamespace)`);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ is_readable: isReadable }) => !isReadable)).toEqual([]);
});

describe('declared access', () => {
  /** The tables in which a role may do something, with the initials of what. */
  async function reachOf(access: DatabaseAccess): Promise<string[]> {
    const { rows } = await superuser.query<{ reach: string }>(
      `SELECT name || ' ' || concat(
         CASE WHEN has_any_column_privilege($1, name, 'SELECT') THEN 'S' END,
         CASE WHEN has_any_column_privilege($1, name, 'INSERT') THEN 'I' END,
         CASE WHEN has_any_column_privilege($1, name, 'UPDATE') THEN 'U' END,
         CASE WHEN has_table_privilege($1, name, 'DELETE') THEN 'D' END) AS reach
       FROM unnest($2::text[]) AS name
       WHERE has_any_column_privilege($1, name, 'SELECT, INSERT, UPDATE') OR has_table_privilege($1, name, 'DELETE')
       ORDER BY 1`,
      [accessRole(access), tables.map(({ name }) => name)],
    );
    return rows.map(({ reach }) => reach.replace('public.', ''));
  }

  test.each(['accounts', 'payments', 'metadata', 'metering'] as const)(
    'for %s reaches only the tables that it needs',
    async (access) => {
      expect(await reachOf(access)).toEqual(NEEDED[access]);
    },
  );

  test('for background jobs reads no passwords and passkeys', async () => {
    const reached = new Set((await reachOf('worker')).map((reach) => reach.split(' ')[0]));
    const missing = tables.map(({ name }) => name.replace('public.', '')).filter((name) => !reached.has(name));
    expect(missing).toEqual(['passkey']);
    expect(await outcomeOf(owner, 'SELECT password FROM account', 'worker')).toContain('permission denied');
  });

  test('for operators reaches every table, so backups are whole', async () => {
    expect(await reachOf('operator')).toHaveLength(tables.length);
  });

  test('sees all organizations’ rows, but only in its tables', async () => {
    for (const access of databaseAccesses) {
      const reach = new Map((await reachOf(access)).map((text) => text.split(' ') as [string, string]));
      for (const { name } of tables) {
        const may = reach.get(name.replace('public.', ''))?.includes('S') === true;
        const seen = await outcomeOf(owner, `SELECT FROM ${name}`, access);
        const all = await outcomeOf(superuser, `SELECT FROM ${name}`);
        expect(seen, `${access} in ${name}`).toEqual(may ? all : expect.stringContaining('permission denied'));
      }
    }
  });

  test('plans queries as for an exempt owner', async () => {
    const lookup = `EXPLAIN (COSTS OFF) SELECT s.id, u.email, m.role FROM session s JOIN "user" u ON u.id = s.user_id
      JOIN member m ON m.user_id = u.id WHERE s.token = 'token'`;
    const planOf = async (client: Client): Promise<unknown[]> => (await client.query(lookup)).rows;
    const declared = await connect(database.ownerUrl);
    await declareAccess(declared, 'accounts');
    expect(await planOf(declared)).toEqual(await planOf(superuser));
    await declared.end();
  });

  test('belongs to roles that neither log in nor are inherited', async () => {
    const { rows } = await owner.query(
      `SELECT count(*)::int AS count FROM pg_roles WHERE rolname = ANY($1) AND NOT rolsuper AND NOT rolbypassrls
         AND NOT rolcanlogin AND NOT rolinherit AND NOT pg_has_role(current_user, oid, 'USAGE')`,
      [databaseAccesses.map(accessRole)],
    );
    expect(rows).toEqual([{ count: databaseAccesses.length }]);
  });
});

describe('with row security forced', () => {
  let fresh: TestDatabase;
  let connection: Client;

  beforeAll(async () => {
    fresh = await createTestDatabase();
    connection = await connect(fresh.ownerUrl);
    await declareAccess(connection, 'accounts');
    await connection.query(
      "INSERT INTO organization (id, name, slug) VALUES ('own', 'Own', 'own'); INSERT INTO \"user\" (id, name, email, email_verified, updated_at) VALUES ('ann', 'Ann', 'ann@example.com', true, now())",
    );
  });
  afterAll(async () => {
    await connection.end();
    await fresh.drop();
  });

  test('foreign keys are checked and cascade', async () => {
    const member = (organization: string): string =>
      `INSERT INTO member (id, organization_id, user_id, role) VALUES ('${organization}', '${organization}', 'ann', 'owner')`;
    await expect(connection.query(member('missing'))).rejects.toThrow(/foreign key|violates/);
    await connection.query(member('own'));
    await connection.query(`DELETE FROM "user" WHERE id = 'ann'`);
    expect((await connection.query('SELECT FROM member')).rowCount).toBe(0);
  });

  test('the audit log still chains its rows', async () => {
    const row = `INSERT INTO audit_log (id, organization_id, actor_type, actor_label, source, action, target_type, target_id)
       VALUES (gen_random_uuid(), 'own', 'system', 'test', 'worker', 'organization.create', 'organization', 'own')`;
    await connection.query(row);
    await connection.query(row);
    const inspector = await connect(fresh.url);
    const { rows } = await inspector.query('SELECT seq FROM audit_head');
    const { rows: chained } = await inspector.query(
      'SELECT count(*)::int AS count FROM audit_log a JOIN audit_log b ON b.previous_hash = a.hash',
    );
    await inspector.end();
    expect([rows, chained]).toEqual([[{ seq: '2' }], [{ count: 1 }]]);
  });

  test('a table of a later migration is forced as well', async () => {
    const migrator = await connect(fresh.ownerUrl);
    await migrator.query('CREATE TABLE later (id int); ALTER TABLE later ENABLE ROW LEVEL SECURITY');
    await applyMigrations(fresh.ownerUrl);
    const { rows } = await migrator.query("SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname = 'later'");
    await migrator.end();
    expect(rows).toEqual([{ forced: true }]);
  });
});

describe('an installation that was not forced yet', () => {
  let exempt: TestDatabase;

  beforeAll(async () => {
    exempt = await createTestDatabase();
    await unforceRowSecurity(exempt.ownerUrl);
    const inspector = await connect(exempt.url);
    await inspector.query("INSERT INTO organization (id, name, slug) VALUES ('own', 'Own', 'own')");
    await inspector.end();
  });
  afterAll(() => exempt.drop());

  const codeOf = (work: Promise<void>): Promise<unknown> =>
    work.then(
      () => 'forced',
      (error: { code?: unknown }) => error.code,
    );

  test('shows all rows to its owner until row security is forced', async () => {
    const undeclaring = await connect(exempt.ownerUrl);
    await applyMigrations(exempt.ownerUrl);
    expect((await undeclaring.query('SELECT FROM organization')).rowCount).toBe(1);
    expect(await codeOf(forceRowSecurity(exempt.ownerUrl))).toBe('undeclared_connections');
    expect((await undeclaring.query('SELECT FROM organization')).rowCount).toBe(1);
    await undeclaring.end();
    await expect.poll(() => codeOf(forceRowSecurity(exempt.ownerUrl))).toBe('forced');
    const undeclared = await connect(exempt.ownerUrl);
    expect((await undeclared.query('SELECT FROM organization')).rowCount).toBe(0);
    await unforceRowSecurity(exempt.ownerUrl);
    expect((await undeclared.query('SELECT FROM organization')).rowCount).toBe(1);
    await undeclared.end();
  });

  test('is not forced for an owner whom row security would not bind', async () => {
    expect(await codeOf(forceRowSecurity(exempt.url))).toBe('owner_exempt');
    const inspector = await connect(exempt.url);
    const name = `inheriting_${exempt.name}`;
    await inspector.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'; GRANT penstock_worker TO ${name}`);
    const url = new URL(exempt.url);
    url.username = name;
    url.password = 'secret';
    expect(await codeOf(forceRowSecurity(url.href))).toBe('owner_inherits_access');
    await inspector.query(`DROP ROLE ${name}`);
    await inspector.end();
  });
});

// So that forcing waits for programs that do not.
test('every program names its connections', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const unnamed: string[] = [];
  for (const folder of ['apps', 'packages']) {
    for (const part of await readdir(join(root, folder))) {
      const source = join(root, folder, part, part === 'web' ? 'server' : 'src');
      for (const path of await readdir(source, { recursive: true }).catch(() => [])) {
        if (!path.endsWith('.ts') || /\.test\.ts$|testing\//.test(path)) {
          continue;
        }
        const text = await readFile(join(source, path), 'utf8');
        if (/new (?:pg\.)?(?:Pool|Client|PrismaPg)\(\{/.test(text) && !text.includes('applicationName(')) {
          unnamed.push(`${folder}/${part}/${path}`);
        }
      }
    }
  }
  expect(unnamed).toEqual([]);
});
