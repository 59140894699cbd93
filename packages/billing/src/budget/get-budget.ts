// The budget and the cap with their current effects, for the settings page and the banner.
import type { Scope } from '@penstock/tenancy';
import { monthOf } from './month.ts';

export interface BudgetAlertRow {
  percent: number;
  budgetUsd: string;
  costUsd: string;
  at: Date;
}

export interface Budget {
  /** For a calendar month (UTC), in dollars as exact text; null if not set. */
  budgetUsd: string | null;
  capUsd: string | null;
  /** The reason that producers currently receive; null while writes are allowed. */
  writesRefusedReason: string | null;
  /** For this month, lowest threshold first. */
  alerts: BudgetAlertRow[];
}

export async function getBudget({ tx, organizationId, now }: Scope): Promise<Budget> {
  const month = monthOf(now);
  const account = await tx.billingAccount.findUnique({
    where: { organizationId },
    select: { budgetUsd: true, capUsd: true, cappedMonth: true, writesRefusedReason: true },
  });
  const alerts = await tx.budgetAlert.findMany({
    where: { organizationId, month: month.start },
    orderBy: { percent: 'asc' },
    select: { percent: true, budgetUsd: true, costUsd: true, at: true },
  });
  const isCapped = account?.cappedMonth?.getTime() === month.start.getTime();
  return {
    budgetUsd: account?.budgetUsd?.toFixed(2) ?? null,
    capUsd: account?.capUsd?.toFixed(2) ?? null,
    writesRefusedReason: isCapped ? (account?.writesRefusedReason ?? null) : null,
    alerts: alerts.map(({ percent, budgetUsd, costUsd, at }) => ({
      percent,
      budgetUsd: budgetUsd.toFixed(2),
      costUsd: costUsd.toFixed(2),
      at,
    })),
  };
}
