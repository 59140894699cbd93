// Runs `billing recompute` as an operator does next to a running system: it finds the database by itself.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, root } from '../../../infra/local/paths.ts';
import type { TestSystem } from './system.ts';

export interface Recomputed {
  /** 0: the journal, the ledger and the bill agree. */
  code: number;
  output: string;
}

/** Recomputes an organization's bill of this month. */
export function recompute(
  system: TestSystem,
  organizationId: string,
  options: readonly string[] = [],
): Promise<Recomputed> {
  const month = new Date().toISOString().slice(0, 7);
  const args = ['--organization', organizationId, '--month', month, ...options];
  return new Promise((resolve) => {
    execFile(
      pinnedNode,
      [join(root, 'infra/local/admin.ts'), 'billing', 'recompute', ...args],
      { env: { ...process.env, DATABASE_URL: '', PENSTOCK_HOME: system.home } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}
