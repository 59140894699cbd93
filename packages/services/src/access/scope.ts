// What every use-case takes first: the transaction, the tenant and who acts.
import type { Database, Transaction } from '@penstock/database/client';

/** Who acts, as the audit log tells it. */
export interface Actor {
  type: 'user' | 'system';
  id: string | null;
  /** What a person reads: an e-mail address, or the name of a job. */
  label: string;
  source: 'web' | 'worker' | 'seed';
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
export function inTransaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.$transaction(work, { timeout: transactionTimeout_ms, maxWait: 5_000 });
}
