import type { Parameter, Statement } from './statement.ts';

/** A queued read, and the callbacks for its result. */
export interface Read {
  /** Null to read with the connection's own rights. */
  organizationId: string | null;
  statement: Statement<unknown>;
  values: Parameter[];
  /** The key of a lookup; null for all other reads. */
  key: string | null;
  rows: unknown[];
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}
