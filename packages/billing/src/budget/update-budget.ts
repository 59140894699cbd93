// Sets or removes the budget and the cap, and applies them at once to the month's cost so far.
import { usd } from '@penstock/pricing';
import { lockBillingAccount, recordAudit, type Scope } from '@penstock/tenancy';
import { announceThresholds, rearmThresholds } from './announce-thresholds.ts';
import { type Budget, getBudget } from './get-budget.ts';
import { monthCostUsd } from './month-cost.ts';
import { settleCap } from './settle-cap.ts';

export interface BudgetChange {
  /** Exact dollars; null removes it; if omitted, it stays as it is. */
  budgetUsd?: string | null | undefined;
  capUsd?: string | null | undefined;
}

/** Changes the given values and leaves the rest. A cap that the month has already reached refuses writes at once. */
export async function updateBudget(scope: Scope, change: BudgetChange, webUrl: string): Promise<Budget> {
  const before = await lockBillingAccount(scope);
  const facts = {
    budgetUsd: change.budgetUsd === undefined ? (before.budgetUsd?.toFixed(2) ?? null) : change.budgetUsd,
    capUsd: change.capUsd === undefined ? (before.capUsd?.toFixed(2) ?? null) : change.capUsd,
  };
  const account = await scope.tx.billingAccount.update({
    where: { organizationId: scope.organizationId },
    data: { ...facts, updatedAt: scope.now },
  });
  await recordAudit(scope, {
    action: 'billing.update-budget',
    targetType: 'organization',
    targetId: scope.organizationId,
    before: { budgetUsd: before.budgetUsd?.toFixed(2) ?? null, capUsd: before.capUsd?.toFixed(2) ?? null },
    after: facts,
  });
  const costUsd = await monthCostUsd(scope);
  if (change.budgetUsd !== undefined) {
    await rearmThresholds(scope, facts.budgetUsd === null ? null : usd(facts.budgetUsd), costUsd);
    await announceThresholds(scope, account, costUsd, webUrl);
  }
  await settleCap(scope, account, costUsd, webUrl);
  return getBudget(scope);
}
