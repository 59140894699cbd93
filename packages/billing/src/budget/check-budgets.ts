// The worker's check of every budget and cap, each minute.
import type { Database } from '@penstock/database/client';
import { type Actor, inTenant, lockBillingAccount, type Scope } from '@penstock/tenancy';
import { accountsToCheck } from './accounts-to-check.ts';
import { announceThresholds } from './announce-thresholds.ts';
import { monthCostUsd } from './month-cost.ts';
import { type CapChange, settleCap } from './settle-cap.ts';

const actor: Actor = { type: 'system', id: null, label: 'Budgets and spending caps', source: 'worker' };

export interface BudgetCheck {
  organizationId: string;
  announced: number[];
  cap: CapChange;
}

export interface BudgetChecks {
  changes: BudgetCheck[];
  /** Organizations whose check failed. The others were still checked. */
  failures: { organizationId: string; error: unknown }[];
}

/**
 * Announces reached thresholds, refuses writes where a cap is reached, and allows them where it no longer is. Running
 * totals show where that may be; the check itself adds up the hours. Each organization has its own transaction. Idempotent, even if run concurrently on two machines.
 */
export async function checkBudgets(
  database: Database,
  options: { now: Date; webUrl: string | undefined; signal?: AbortSignal | undefined },
): Promise<BudgetChecks> {
  const { now, webUrl, signal } = options;
  const checks: BudgetChecks = { changes: [], failures: [] };
  for (const organizationId of await accountsToCheck(database, now)) {
    if (signal?.aborted === true) {
      break;
    }
    try {
      const check = await inTenant(database, organizationId, (tx) =>
        checkBudget({ tx, organizationId, actor, now }, webUrl),
      );
      if (check.announced.length > 0 || check.cap !== 'none') {
        checks.changes.push(check);
      }
    } catch (error) {
      checks.failures.push({ organizationId, error });
    }
  }
  return checks;
}

async function checkBudget(scope: Scope, webUrl: string | undefined): Promise<BudgetCheck> {
  const account = await lockBillingAccount(scope);
  const costUsd = await monthCostUsd(scope);
  return {
    organizationId: scope.organizationId,
    announced: await announceThresholds(scope, account, costUsd, webUrl),
    cap: await settleCap(scope, account, costUsd, webUrl),
  };
}
