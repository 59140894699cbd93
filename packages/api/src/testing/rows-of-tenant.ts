// An organization's rows in the database, to check that another organization's call changed none of them.
import type { Database } from '@penstock/database/client';

/** Rows of a table as text, in the order of that text. @param table a name from the tests, never from input */
export async function rowsOfTenant(database: Database, table: string, organizationId: string): Promise<string> {
  const column = table === 'organization' ? 'id' : 'organization_id';
  const rows = await database.$queryRawUnsafe<{ row: string }[]>(
    `SELECT t::text AS row FROM ${table} t WHERE ${column} = $1 ORDER BY 1`,
    organizationId,
  );
  return rows.map(({ row }) => row).join('\n');
}
