// Announces 50, 80 and 100 % of a month's budget, each once.
import { formatUsdCents, type Usd, usd } from '@penstock/pricing';
import { type BillingAccountRow, nameInMail, type Scope } from '@penstock/tenancy';
import { monthOf } from './month.ts';
import { notifyAboutBudget } from './notify-about-budget.ts';

export const budgetThresholdsPercent = [50, 80, 100] as const;

/** Whether a cost is at least this percentage of a budget. Exact. */
function isReached(costUsd: Usd, budgetUsd: Usd, percent: number): boolean {
  return costUsd.times(100).gte(budgetUsd.times(percent));
}

/**
 * @param account locked
 * @param costUsd the month's usage so far, before credits
 * @returns the thresholds that were announced now
 */
export async function announceThresholds(
  scope: Scope,
  account: BillingAccountRow,
  costUsd: Usd,
  webUrl: string | undefined,
): Promise<number[]> {
  if (account.budgetUsd === null) {
    return [];
  }
  const { tx, organizationId, now } = scope;
  const budgetUsd = usd(account.budgetUsd.toFixed(2));
  const month = monthOf(now);
  const reached = budgetThresholdsPercent.filter((percent) => isReached(costUsd, budgetUsd, percent));
  // The inserted row decides who announces: of two concurrent checks, the second inserts nothing.
  const inserted = await tx.budgetAlert.createManyAndReturn({
    data: reached.map((percent) => ({
      organizationId,
      month: month.start,
      percent,
      budgetUsd: budgetUsd.toFixed(2),
      costUsd: costUsd.toFixed(2),
      at: now,
    })),
    skipDuplicates: true,
    select: { percent: true },
  });
  const announced = inserted.map(({ percent }) => percent).toSorted((left, right) => left - right);
  for (const percent of announced) {
    await notifyAboutBudget(scope, account, {
      type: 'budget.reached',
      data: {
        percent,
        budgetUsd: budgetUsd.toFixed(2),
        costUsd: costUsd.toFixed(2),
        month: month.start.toISOString().slice(0, 7),
      },
      subject: (name) => `${nameInMail(name)} has reached ${percent}% of its budget for ${month.name}`,
      text: `Usage for ${month.name} is ${formatUsdCents(costUsd)} so far, before credits. That is at least ${percent}% of your budget of ${formatUsdCents(budgetUsd)}. A budget only sends alerts. To limit spending, set a spending cap.`,
      webUrl,
    });
  }
  return announced;
}

/** After a budget change: thresholds that the month has not reached under the new budget may be announced again. */
export async function rearmThresholds(scope: Scope, budgetUsd: Usd | null, costUsd: Usd): Promise<void> {
  const due = budgetThresholdsPercent.filter(
    (percent) => budgetUsd === null || !isReached(costUsd, budgetUsd, percent),
  );
  await scope.tx.budgetAlert.deleteMany({
    where: { organizationId: scope.organizationId, month: monthOf(scope.now).start, percent: { in: due } },
  });
}
