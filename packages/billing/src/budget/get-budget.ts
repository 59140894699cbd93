// The budget, the cap and what has come of them, for the settings page and the banner.
import type { Scope } from '@penstock/tenancy';
import { monthOf } from './month.ts';

export interface BudgetAlertRow {
  percent: number;
  budgetUsd: string;
  costUsd: string;
  at: Date;
}

export interface Budget {
  /** For a calendar month (UTC), in dollars as exact text; null: none. */
  budgetUsd: string | null;
  capUsd: string | null;
  /** What producers are told at present; null: they may write. */
  writesRefusedReason: string | null;
  /** Of this month, lowest threshold first. */
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
