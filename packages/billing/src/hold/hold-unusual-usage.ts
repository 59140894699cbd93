// The worker's search for unusual hours. What it finds is held: left out of invoices until an operator has reviewed it.
import type { Database } from '@penstock/database/client';
import { type Actor, inTransaction, lockBillingAccount, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS, HOUR_MS } from '@penstock/units';
import { billingRecipients } from '../billing-account/billing-recipients.ts';
import { type HourBytes, LEAST_UNUSUAL_BYTES, USUAL_DAYS, type UsageAnomaly, usageAnomaly } from './usage-anomaly.ts';

const actor: Actor = { type: 'system', id: null, label: 'Review of unusual usage', source: 'worker' };

export interface HeldHour extends UsageAnomaly {
  organizationId: string;
  clusterId: string;
  hour: Date;
}

interface Suspect {
  organization_id: string;
  cluster_id: string;
  cluster_name: string | null;
  hour: Date;
}

/**
 * Holds the unusual hours of a range. Hours of months that have an invoice are left alone: what is final stays billed.
 * Idempotent: an hour that was reviewed is not held again.
 */
export async function holdUnusualUsage(
  database: Database,
  range: { from: Date; until: Date; organizationId?: string },
  options: { now: Date; webUrl: string | undefined },
): Promise<HeldHour[]> {
  const suspects = await database.$queryRaw<Suspect[]>`
    SELECT u.organization_id, u.cluster_id, c.name AS cluster_name, u.hour
    FROM usage_hour u LEFT JOIN virtual_cluster c ON c.id = u.cluster_id
    WHERE u.hour >= ${range.from} AND u.hour < ${range.until} AND u.uncompressed_bytes >= ${LEAST_UNUSUAL_BYTES}
      AND (${range.organizationId ?? null}::text IS NULL OR u.organization_id = ${range.organizationId ?? null})
      AND NOT EXISTS (SELECT FROM usage_hold h WHERE h.cluster_id = u.cluster_id AND h.hour = u.hour)
      AND NOT EXISTS (SELECT FROM invoice i WHERE i.organization_id = u.organization_id AND i.kind = 'invoice'
                      AND i.period_start = date_trunc('month', u.hour AT TIME ZONE 'UTC')::date)
    ORDER BY u.organization_id, u.cluster_id, u.hour`;
  const found: HeldHour[] = [];
  for (const ofCluster of Map.groupBy(suspects, ({ cluster_id: clusterId }) => clusterId).values()) {
    const [first] = ofCluster;
    if (first !== undefined) {
      const { organization_id: organizationId } = first;
      const held = await inTransaction(database, (tx) =>
        holdOfCluster({ tx, organizationId, actor, now: options.now }, ofCluster, options.webUrl),
      );
      found.push(...held);
    }
  }
  return found;
}

async function holdOfCluster(
  scope: Scope,
  suspects: readonly Suspect[],
  webUrl: string | undefined,
): Promise<HeldHour[]> {
  const { tx, organizationId, now } = scope;
  const [first, last] = [suspects[0], suspects.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const { cluster_id: clusterId } = first;
  let past = await readHours(scope, clusterId, {
    gte: new Date(first.hour.getTime() - USUAL_DAYS * DAY_MS),
    lte: last.hour,
  });
  // Closing a month locks the account, too: either its invoice leaves the hour out, or the hour is not held.
  const account = await lockBillingAccount(scope);
  const held: HeldHour[] = [];
  for (const { hour } of suspects) {
    const own = past.find(({ hourMs }) => hourMs === hour.getTime());
    const anomaly = own === undefined ? null : usageAnomaly(own, past);
    if (anomaly === null || (await isInvoiced(scope, hour))) {
      continue;
    }
    const { count } = await tx.usageHold.createMany({
      data: { clusterId, hour, organizationId, ...anomaly, foundAt: now },
      skipDuplicates: true,
    });
    if (count === 0) {
      continue;
    }
    held.push({ organizationId, clusterId, hour, ...anomaly });
    past = past.filter(({ hourMs }) => hourMs !== hour.getTime());
    await recordAudit(scope, {
      action: 'billing.hold-usage',
      targetType: 'cluster',
      targetId: clusterId,
      after: { hour: hour.toISOString(), finding: anomaly.finding },
    });
  }
  if (held.length > 0) {
    const name = first.cluster_name ?? clusterId;
    const link = webUrl === undefined ? null : `${webUrl}/app/billing`;
    const hours = held.map(
      ({ hour, finding }) => `${hour.toISOString().slice(0, 16).replace('T', ' ')} UTC: ${finding}`,
    );
    const text =
      `Cluster ${name} wrote far more than usual, or what its agents reported is hard to believe:\n\n${hours.join('\n')}\n\n` +
      'We hold these writes: they are not on an invoice until one of us has looked at them, and you pay nothing for them until then. ' +
      `If you know why, or think that somebody misuses an agent key, reply to this mail. To be safe, revoke keys that you don’t recognize.${link === null ? '' : `\n\nView billing: ${link}`}`;
    for (const to of await billingRecipients(scope, account)) {
      await queueMail(tx, { to, subject: `Unusual usage of ${name} is held for review`, text, link }, now);
    }
  }
  return held;
}

async function isInvoiced({ tx, organizationId }: Scope, hour: Date): Promise<boolean> {
  const periodStart = new Date(Date.UTC(hour.getUTCFullYear(), hour.getUTCMonth(), 1));
  return (await tx.invoice.count({ where: { organizationId, kind: 'invoice', periodStart } })) > 0;
}

/** Without the hours that were held before, so that an attack that lasts does not become usual. */
async function readHours({ tx }: Scope, clusterId: string, hour: { gte: Date; lte: Date }): Promise<HourBytes[]> {
  const rows = await tx.usageHour.findMany({
    where: { clusterId, hour },
    select: { hour: true, uncompressedBytes: true, storedBytes: true },
  });
  const holds = await tx.usageHold.findMany({
    where: { clusterId, hour, status: { not: 'released' } },
    select: { hour: true },
  });
  const left = new Set(holds.map(({ hour: at }) => at.getTime()));
  return rows
    .map(({ hour: at, ...bytes }) => ({ hourMs: at.getTime(), ...bytes }))
    .filter(({ hourMs }) => !left.has(hourMs));
}

/** How far back the worker looks. It may have been away. */
export const SEARCHED_MS = 72 * HOUR_MS;
