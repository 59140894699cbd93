// Finds the accounts whose budget or cap may have been reached or left, with few statements for all accounts together. Everybody else's
// budget is settled: a check would change nothing.
import type { Database } from '@penstock/database/client';
import { PRICE_BOOKS, type Usd, usd } from '@penstock/pricing';
import { billingMonthAt } from '../rating/billing-month.ts';
import { budgetThresholdsPercent } from './announce-thresholds.ts';
import { type CostBounds, costBounds, type MonthTotal } from './cost-bounds.ts';
import { monthOf } from './month.ts';
import { capReason } from './settle-cap.ts';

export interface BudgetAccount {
  organizationId: string;
  budgetUsd: Usd | null;
  capUsd: Usd | null;
  /** The first day of the month in which the cap has been reached. */
  cappedMonth: Date | null;
  writesRefusedReason: string | null;
  /** Thresholds of this month that were announced. */
  announced: readonly number[];
}

/** Organizations with a budget, a cap or refused writes, in the order of their ids, that have to be checked. */
export async function accountsToCheck(database: Database, now: Date): Promise<string[]> {
  const month = monthOf(now);
  const accounts = await readAccounts(database, month.start);
  const totals = await readTotals(database, month.start);
  return accounts.flatMap((account) => {
    const own = totals.get(account.organizationId) ?? [];
    const bounds = costBounds(own, billingMonthAt(now.getTime()), PRICE_BOOKS);
    return bounds !== undefined && isSettled(account, bounds, now) ? [] : [account.organizationId];
  });
}

/** Whether a check would change nothing, wherever the cost lies between the bounds. */
export function isSettled(account: BudgetAccount, { leastUsd, mostUsd }: CostBounds, now: Date): boolean {
  const { budgetUsd, capUsd, cappedMonth, writesRefusedReason, announced } = account;
  const areAnnounced =
    budgetUsd === null ||
    budgetThresholdsPercent.every(
      (percent) => announced.includes(percent) || mostUsd.times(100).lt(budgetUsd.times(percent)),
    );
  if (!areAnnounced) {
    return false;
  }
  if (capUsd === null || mostUsd.lt(capUsd)) {
    return writesRefusedReason === null;
  }
  const month = monthOf(now);
  return (
    leastUsd.gte(capUsd) &&
    writesRefusedReason === capReason(capUsd, month) &&
    cappedMonth?.getTime() === month.start.getTime()
  );
}

async function readAccounts(database: Database, month: Date): Promise<BudgetAccount[]> {
  const rows = await database.$queryRaw<
    {
      organization_id: string;
      budget_usd: string | null;
      cap_usd: string | null;
      capped_month: Date | null;
      reason: string | null;
      announced: number[] | null;
    }[]
  >`
    SELECT organization_id, budget_usd::text, cap_usd::text, capped_month, writes_refused_reason AS reason, announced
    FROM billing_account LEFT JOIN (
      SELECT organization_id, array_agg(percent) AS announced FROM budget_alert WHERE month = ${month} GROUP BY 1
    ) AS alerts USING (organization_id)
    WHERE budget_usd IS NOT NULL OR cap_usd IS NOT NULL OR capped_month IS NOT NULL
    ORDER BY organization_id`;
  return rows.map((row) => ({
    organizationId: row.organization_id,
    budgetUsd: row.budget_usd === null ? null : usd(row.budget_usd),
    capUsd: row.cap_usd === null ? null : usd(row.cap_usd),
    cappedMonth: row.capped_month,
    writesRefusedReason: row.reason,
    announced: row.announced ?? [],
  }));
}

async function readTotals(database: Database, month: Date): Promise<Map<string, MonthTotal[]>> {
  const rows = await database.$queryRaw<
    { organization_id: string; cluster_id: string; bytes: bigint; minutes: bigint; dev: bigint; low_latency: bigint }[]
  >`
    SELECT organization_id, cluster_id::text, uncompressed_bytes AS bytes, cluster_minutes AS minutes, dev_minutes AS dev,
      low_latency_minutes AS low_latency
    FROM usage_month WHERE month = ${month}`;
  const byOrganization = Map.groupBy(rows, ({ organization_id }) => organization_id);
  return new Map(
    [...byOrganization].map(([organizationId, own]) => [
      organizationId,
      own.map(({ cluster_id: clusterId, bytes, minutes, dev, low_latency }) => ({
        clusterId,
        uncompressedBytes: bytes,
        clusterMinutes: Number(minutes),
        devMinutes: Number(dev),
        lowLatencyMinutes: Number(low_latency),
      })),
    ]),
  );
}
