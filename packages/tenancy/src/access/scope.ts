// The first argument of every use-case: the transaction, the tenant and the actor.
import {
  type Database,
  type Parameter,
  Prisma,
  type Reads,
  type Statement,
  type Transaction,
} from '@penstock/database/client';
import { AppError } from '@penstock/platform';

/** Who acts, as the audit log records it. */
export interface Actor {
  type: 'user' | 'api-key' | 'system' | 'kafka-client';
  id: string | null;
  /** The name that people see: an e-mail address, the name of a key, the name of a job, or a Kafka principal. */
  label: string;
  source: 'web' | 'api' | 'kafka' | 'worker' | 'seed';
}

export interface Scope {
  tx: Transaction;
  /** Every query of a use-case filters by it. */
  organizationId: string;
  actor: Actor;
  now: Date;
}

/** Enough to read an organization's rows. */
export type OrganizationScope = Pick<Scope, 'tx' | 'organizationId'>;

/**
 * Prisma's code for a transaction that got no connection in time, or that exceeded its time limit and was rolled back.
 */
const TRANSACTION_RAN_OUT = 'P2028';

/**
 * Runs a use-case in its own transaction: everything commits, including its audit row, or nothing does. It sees what the
 * database's declared access allows.
 * @param timeoutMs for a transaction that may exceed the client's default
 * @throws AppError `too_busy` when no connection became free in time, or the transaction took too long; nothing has
 * happened then
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

/** Created by the migration `row_security`. This role cannot see the rows of other organizations. */
const TENANT_ROLE = 'penstock_tenant';

/**
 * Runs a use-case in a transaction that the database itself limits to one organization: a query that forgets to filter
 * by organization still finds no other organization's rows. The role and the organization reset when the transaction
 * ends.
 */
export function inTenant<T>(
  database: Database,
  organizationId: string,
  work: (tx: Transaction) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const bounded = async (tx: Transaction): Promise<T> => {
    await enterTenant(tx, organizationId);
    return work(tx);
  };
  return inTransaction(database, bounded, timeoutMs);
}

/**
 * Runs a part of a transaction limited to one organization, like `inTenant`. The rest of the transaction keeps the access
 * that it had. After a failure the transaction stays limited.
 */
export async function withinTenant<T>(tx: Transaction, organizationId: string, work: () => Promise<T>): Promise<T> {
  const [before] = await tx.$queryRaw<{ role: string }[]>`SELECT current_setting('role') AS role`;
  await enterTenant(tx, organizationId);
  const result = await work();
  // Deferred triggers would run at the end, with the access of the rest.
  await tx.$executeRaw`SET CONSTRAINTS ALL IMMEDIATE`;
  await tx.$executeRaw`
    SELECT set_config('penstock.organization_id', '', true), set_config('role', ${before?.role ?? TENANT_ROLE}, true)`;
  return result;
}

async function enterTenant(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`
    SELECT set_config('penstock.organization_id', ${organizationId}, true), set_config('role', ${TENANT_ROLE}, true)`;
}

/** The first argument of a use-case that only reads a little. It runs without a transaction of its own. */
export interface ReadScope {
  organizationId: string;
  now: Date;
  read<Row>(statement: Statement<Row>, values: Parameter[]): Promise<Row[]>;
}

/** One read, limited by the database to one organization, as whole use-cases are. */
export function readInTenant<Row>(
  reads: Reads,
  organizationId: string,
  statement: Statement<Row>,
  values: Parameter[],
): Promise<Row[]> {
  return reads.readInTenant(organizationId, statement, values);
}
