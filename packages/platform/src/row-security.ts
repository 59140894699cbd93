// Whether row security binds the role of DATABASE_URL. PostgreSQL says nothing when it does not.
import { accessRole, databaseAccesses } from './database-access.ts';

interface Queries {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export interface RoleBinding {
  /** The role that signed in. */
  role: string;
  /** It is a superuser or has BYPASSRLS. */
  isExempt: boolean;
  /** Roles whose rights it has without asking for them. */
  inherited: string[];
}

/** Reads what row security does to the role that signed in. Before the first migration, it inherits nothing. */
export async function readRoleBinding(database: Queries): Promise<RoleBinding> {
  const { rows } = await database.query(
    `SELECT rolname AS role, rolsuper OR rolbypassrls AS is_exempt,
       ARRAY(SELECT declared.rolname::text FROM pg_roles AS declared
             WHERE declared.rolname = ANY($1::text[]) AND pg_has_role(session_user, declared.oid, 'USAGE')) AS inherited
     FROM pg_roles WHERE rolname = session_user`,
    [[...databaseAccesses.map(accessRole), 'penstock_tenant']],
  );
  const [row] = rows;
  return {
    role: String(row?.['role'] ?? 'this role'),
    isExempt: row?.['is_exempt'] !== false,
    inherited: Array.isArray(row?.['inherited']) ? row['inherited'].map(String) : [],
  };
}

/** Why row security would hide nothing from the role, and what to run. Undefined: it binds the role. */
export function bindingProblem({
  role,
  isExempt,
  inherited,
}: RoleBinding): { message: string; remedy: string } | undefined {
  if (isExempt) {
    return {
      message: `Row security never binds ${role}: it is a superuser or has BYPASSRLS.`,
      remedy: 'Use a role without both in DATABASE_URL, and make it the owner of the database and its tables.',
    };
  }
  if (inherited.length > 0) {
    return {
      message: `${role} inherits the rights of ${inherited.join(', ')}, so row security would hide nothing from it.`,
      remedy: `Run \`REVOKE INHERIT OPTION FOR <role> FROM "${role}"\` for each of them (before PostgreSQL 16: \`ALTER ROLE "${role}" NOINHERIT\`).`,
    };
  }
  return undefined;
}
