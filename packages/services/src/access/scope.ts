// What every use-case takes first: the transaction, the tenant and who acts.
import type { Database, Transaction } from '@penstock/database/client';

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

/** Longer than any call to the metadata service within a transaction. */
const transactionTimeout_ms = 15_000;

/** Runs a use-case in a transaction of its own: all of it happens, its audit row included, or nothing. */
export function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  timeout_ms = transactionTimeout_ms,
): Promise<T> {
  return database.$transaction(work, { timeout: timeout_ms, maxWait: 5_000 });
}

/** Made by the migration `row_security`: to it no row of another organization exists. */
const tenantRole = 'penstock_tenant';

/**
 * Runs a use-case in a transaction that the database itself bounds to one organization: a query that forgets to ask for the
 * organization finds nothing of another one. Role and organization are left at the transaction's end.
 */
export function inTenant<T>(
  database: Database,
  organizationId: string,
  work: (tx: Transaction) => Promise<T>,
  timeout_ms = transactionTimeout_ms,
): Promise<T> {
  const bounded = async (tx: Transaction): Promise<T> => {
    await tx.$executeRaw`
      SELECT set_config('penstock.organization_id', ${organizationId}, true), set_config('role', ${tenantRole}, true)`;
    return work(tx);
  };
  return inTransaction(database, bounded, timeout_ms);
}
