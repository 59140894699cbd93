// Our tables, and meaningless rows in each of them.
import type { Client } from 'pg';

interface Column {
  name: string;
  type: string;
}
export interface Table {
  /** The name, including the schema. */
  name: string;
  columns: Column[];
  hasRowSecurity: boolean;
}

/** All of our tables except partitions, which are reached through their parent tables. */
export async function tablesOf(client: Client): Promise<Table[]> {
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

export const has = (table: Table, column: string): boolean => table.columns.some(({ name }) => name === column);

const values: Readonly<Record<string, string>> = {
  text: 'gen_random_uuid()::text',
  uuid: 'gen_random_uuid()',
  bytea: "decode(md5(random()::text), 'hex')",
  boolean: 'true',
  jsonb: "'{}'",
  integer: '1',
  smallint: '1',
  bigint: '(random() * 1000000000)::bigint',
  numeric: '1',
  inet: "'198.51.100.1'",
  cidr: "'198.51.100.0/24'",
  date: 'now()::date',
  'text[]': "'{}'",
  'timestamp with time zone': 'now()',
};

/** SQL that inserts one row of an organization into a table, with meaningless values. */
export function insertion({ name, columns }: Table, organizationId: string): string {
  const cells = columns.map((column) =>
    column.name === 'organization_id' ? `'${organizationId}'` : (values[column.type.replace(/\(.*\)/, '')] ?? 'NULL'),
  );
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  return `INSERT INTO ${name} (${names}) VALUES (${cells.join(', ')})`;
}

/** Inserts a row of each organization into every table, without checking references, triggers and values. */
export async function fillTables(
  superuser: Client,
  tables: readonly Table[],
  organizationIds: readonly string[],
): Promise<void> {
  await superuser.query("SET session_replication_role = 'replica'");
  for (const table of tables) {
    const { rows } = await superuser.query<{ conname: string }>(
      "SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'",
      [table.name],
    );
    for (const { conname } of rows) {
      await superuser.query(`ALTER TABLE ${table.name} DROP CONSTRAINT "${conname}"`);
    }
    for (const organizationId of organizationIds) {
      await superuser.query(insertion(table, organizationId));
    }
  }
  await superuser.query("SET session_replication_role = 'origin'");
}
