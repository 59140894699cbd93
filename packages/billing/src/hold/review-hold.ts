// The operator's review of held usage: released hours are billed, waived ones never are.
import type { Database } from '@penstock/database/client';
import { AppError, isUuid } from '@penstock/platform';
import { type Actor, inTransaction, lockBillingAccount, recordAudit } from '@penstock/tenancy';

export interface HoldRow {
  organizationId: string;
  clusterId: string;
  hour: Date;
  finding: string;
  foundAt: Date;
}

/** All hours that wait for a review, oldest first. */
export async function listHolds(database: Database): Promise<HoldRow[]> {
  return await database.usageHold.findMany({
    where: { status: 'held' },
    orderBy: [{ hour: 'asc' }, { clusterId: 'asc' }],
    select: { organizationId: true, clusterId: true, hour: true, finding: true, foundAt: true },
  });
}

export interface HoldReview {
  clusterId: string;
  /** One hour; all held hours of the cluster if omitted. */
  hour?: Date | undefined;
  verdict: 'released' | 'waived';
  /** For the customer's audit log. */
  reason: string;
}

/**
 * @returns the hours that were reviewed
 * @throws AppError `hold_unknown`, `review_invalid`
 */
export async function reviewHolds(
  database: Database,
  { clusterId, hour, verdict, reason }: HoldReview,
  { actor, now }: { actor: Actor; now: Date },
): Promise<Date[]> {
  if (reason.trim() === '' || !isUuid(clusterId) || Number.isNaN(hour?.getTime())) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'review_invalid',
      message: 'A review needs the id of a cluster and a reason, and its hour is a time like 2026-11-28T09:00:00Z.',
    });
  }
  return await inTransaction(database, async (tx) => {
    const where = { clusterId, status: 'held', ...(hour === undefined ? {} : { hour }) };
    const known = await tx.usageHold.findFirst({ where, select: { organizationId: true } });
    if (known === null) {
      throw new AppError({
        kind: 'not-found',
        code: 'hold_unknown',
        message: `No such hour of cluster ${clusterId} waits for a review.`,
      });
    }
    const { organizationId } = known;
    const scope = { tx, organizationId, actor, now };
    // An invoice that is being issued either bills a released hour or leaves it to the next one.
    await lockBillingAccount(scope);
    const holds = await tx.usageHold.findMany({ where, orderBy: { hour: 'asc' }, select: { hour: true } });
    const hours = holds.map((hold) => hold.hour);
    await tx.usageHold.updateMany({
      where: { clusterId, status: 'held', hour: { in: hours } },
      data: { status: verdict, reviewedBy: actor.label, reviewedAt: now, reviewReason: reason.trim() },
    });
    if (verdict === 'released') {
      // A month that has its invoice is rated again, and the difference is a correction on the next one.
      await tx.$executeRaw`
        INSERT INTO late_usage (organization_id, month)
        SELECT DISTINCT i.organization_id, i.period_start FROM invoice i
        WHERE i.organization_id = ${organizationId} AND i.kind = 'invoice'
          AND i.period_start IN (SELECT date_trunc('month', h AT TIME ZONE 'UTC')::date FROM unnest(${hours}::timestamptz[]) h)
        ON CONFLICT (organization_id, month) DO UPDATE SET changes = late_usage.changes + 1`;
    }
    await recordAudit(scope, {
      action: verdict === 'released' ? 'billing.release-usage' : 'billing.waive-usage',
      targetType: 'cluster',
      targetId: clusterId,
      after: { hours: hours.map((at) => at.toISOString()), reason: reason.trim() },
    });
    return hours;
  });
}
