// The roles that a database connection takes on to work for more than one organization. The migration
// `declared_access` creates them and grants each one the tables that it needs. A connection without a role sees no rows.

const ROLES = {
  /** Before the organization is known: sign-in, invitations, provisioning, new organizations, API keys. */
  accounts: 'penstock_accounts',
  /** Calls to Stripe and events from Stripe. */
  payments: 'penstock_payments',
  /** The metadata service: journals of all clusters, agents' keys and reports. */
  metadata: 'penstock_metadata',
  /** Journals of all clusters become hourly usage. */
  metering: 'penstock_metering',
  /** The role of background jobs. */
  worker: 'penstock_worker',
  /** Commands that an operator runs. */
  operator: 'penstock_operator',
} as const;

export type DatabaseAccess = keyof typeof ROLES;

export const databaseAccesses = Object.keys(ROLES) as DatabaseAccess[];

/** The name of the PostgreSQL role. */
export function accessRole(access: DatabaseAccess): string {
  return ROLES[access];
}

/** Marks the connections of releases that declare their access. Row security is not forced while others are open. */
export const DECLARING = '+access';

/** The `application_name` of a connection. */
export function applicationName(program: string): string {
  return `penstock-${program}${DECLARING}`;
}

/** Part of the pg driver's client. */
interface Connection {
  query(text: string): Promise<unknown>;
}

/** Takes on the role for as long as the connection is open. Transactions may still switch to a tenant. */
export async function declareAccess(connection: Connection, access: DatabaseAccess): Promise<void> {
  await connection.query(`SET ROLE ${ROLES[access]}`);
}

/**
 * Options of a pg pool whose connections all take on the role before they are used. Not a startup parameter: PgBouncer
 * refuses those.
 */
export function withAccess(access: DatabaseAccess): { onConnect(connection: Connection): Promise<void> } {
  return { onConnect: (connection) => declareAccess(connection, access) };
}
