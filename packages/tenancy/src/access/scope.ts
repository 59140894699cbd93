// What every use-case takes first: the transaction, the tenant and who acts.
import {
  type Database,
  type Parameter,
  Prisma,
  type Reads,
  type Statement,
  type Transaction,
} from '@penstock/database/client';
import { AppError } from '@penstock/platform';

/** Who acts, as the audit log tells it. */
export interface Actor {
  type: 'user' | 'api-key' | 'system';
  id: string | null;
  /** What a person reads: an e-mail address, the name of a key, or the name of a job. */
  label: string;
  source: 'web' | 'api' | 'worker' | 'seed';
}

export interface Scope {
  tx: Transaction;
  /** Every query of a use-case is bounded by it. */
  organizationId: string;
  actor: Actor;
  now: Date;
}

/** Enough to read an organization's rows. */
export type OrganizationScope = Pick<Scope, 'tx' | 'organizationId'>;

/** Prisma's code for a transaction that got no connection in time, or that took longer than it may and was undone. */
const TRANSACTION_RAN_OUT = 'P2028';

/**
 * Runs a use-case in a transaction of its own: all of it happens, its audit row included, or nothing.
 * @param timeout_ms for a transaction that may take longer than the client's default
 * @throws AppError `too_busy` when no connection became free in time, or the transaction took too long; nothing has happened then
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  try {
    return await database.$transaction(work, timeoutMs === undefined ? {} : { timeout: timeoutMs });
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== TRANSACTION_RAN_OUT) {
      throw error;
    }
    throw new AppError({
      kind: 'unavailable',
      code: 'too_busy',
      message: 'The service is overloaded. Nothing was changed.',
      remedy: 'Wait a few seconds and try again.',
      cause: error,
    });
  }
}

/** Made by the migration `row_security`: to it no row of another organization exists. */
const TENANT_ROLE = 'penstock_tenant';

/**
 * Runs a use-case in a transaction that the database itself bounds to one organization: a query that forgets to ask for the
 * organization finds nothing of another one. Role and organization are left at the transaction's end.
 */
export function inTenant<T>(
  database: Database,
  organizationId: string,
  work: (tx: Transaction) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const bounded = async (tx: Transaction): Promise<T> => {
    await tx.$executeRaw`
      SELECT set_config('penstock.organization_id', ${organizationId}, true), set_config('role', ${TENANT_ROLE}, true)`;
    return work(tx);
  };
  return inTransaction(database, bounded, timeoutMs);
}

/** What a use-case takes that reads a little and changes nothing: no transaction of its own is opened for it. */
export interface ReadScope {
  organizationId: string;
  now: Date;
  read<Row>(statement: Statement<Row>, values: Parameter[]): Promise<Row[]>;
}

/** One read, which the database bounds to one organization as it does whole use-cases. */
export function readInTenant<Row>(
  reads: Reads,
  organizationId: string,
  statement: Statement<Row>,
  values: Parameter[],
): Promise<Row[]> {
  return reads.readInTenant(organizationId, statement, values);
}
