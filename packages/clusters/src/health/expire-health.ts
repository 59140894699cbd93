// Deletes expired health data, and all health data of a purged cluster.
import type { Database, Transaction } from '@penstock/database/client';
import { DAY_MS } from '@penstock/units';

/** How long events and resolved findings are kept. */
export const HEALTH_AGE_MS = 90 * DAY_MS;

/** @returns how many rows of each kind were deleted */
export async function expireHealth(
  database: Database,
  now: Date,
): Promise<{ events: number; findings: number; silences: number }> {
  const before = new Date(now.getTime() - HEALTH_AGE_MS);
  const events = await database.clusterEvent.deleteMany({ where: { at: { lt: before } } });
  const findings = await database.healthFinding.deleteMany({ where: { resolvedAt: { lt: before } } });
  const silences = await database.healthSilence.deleteMany({ where: { until: { lt: before } } });
  return { events: events.count, findings: findings.count, silences: silences.count };
}

export async function forgetClusterHealth(tx: Transaction, clusterId: string): Promise<void> {
  await tx.clusterHealth.deleteMany({ where: { clusterId } });
  await tx.clusterHealthHistory.deleteMany({ where: { clusterId } });
  await tx.healthFinding.deleteMany({ where: { clusterId } });
  await tx.clusterEvent.deleteMany({ where: { clusterId } });
  await tx.healthSilence.deleteMany({ where: { clusterId } });
}
