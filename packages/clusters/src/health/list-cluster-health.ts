// The health of all clusters of an organization in a word each, for the list of clusters.
import type { Scope } from '@penstock/tenancy';
import { type HealthLevel, shownLevel } from './get-cluster-health.ts';
import { holdingAt, isSilenced } from './silence.ts';

export interface ClusterHealthLevel {
  clusterId: string;
  level: HealthLevel;
  /** Silences cover all open issues. They pause alerts; the level stays. */
  isSilenced: boolean;
}

/** Lists clusters that were checked at least once. */
export async function listClusterHealth({ tx, organizationId, now }: Scope): Promise<ClusterHealthLevel[]> {
  const rows = await tx.clusterHealth.findMany({
    where: { organizationId },
    select: { clusterId: true, level: true, assessedAt: true },
    orderBy: { clusterId: 'asc' },
  });
  const findings = await tx.healthFinding.findMany({
    where: { organizationId, resolvedAt: null },
    select: { clusterId: true, rule: true },
  });
  const silences = await tx.healthSilence.findMany({
    where: { organizationId, ...holdingAt(now) },
    select: { clusterId: true, rule: true },
  });
  return rows.map((row) => {
    const isOwn = ({ clusterId }: { clusterId: string }) => clusterId === row.clusterId;
    const own = findings.filter(isOwn);
    const silencesOfCluster = silences.filter(isOwn);
    return {
      clusterId: row.clusterId,
      level: shownLevel(row, now),
      isSilenced: own.length > 0 && own.every(({ rule }) => isSilenced(silencesOfCluster, rule)),
    };
  });
}
