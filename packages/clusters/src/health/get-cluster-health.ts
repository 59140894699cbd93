// A cluster's health verdict with its reasons, for its pages.
import { textOf } from '@penstock/health';
import type { Scope } from '@penstock/tenancy';
import { findCluster } from '../cluster/cluster.ts';
import { type AlertMember, alertRecipients } from './alert-recipients.ts';
import { listSilences } from './list-silences.ts';
import { isSilenced, type Silence } from './silence.ts';

/** An older verdict no longer counts. */
export const STALE_AFTER_MS = 30_000;

/** `unknown`: not checked recently. */
export type HealthLevel = 'unknown' | 'waiting' | 'healthy' | 'degraded' | 'critical';

export interface OpenFinding {
  id: string;
  rule: string;
  title: string;
  severity: 'warning' | 'critical';
  subject: { agentId?: string; zone?: string; group?: string };
  cause: string;
  remedy: string;
  since: Date;
  isSilenced: boolean;
}

export interface ClusterHealth {
  level: HealthLevel;
  /** Null if the cluster was never checked. */
  since: Date | null;
  assessedAt: Date | null;
  /** Most severe first, then oldest first. */
  findings: OpenFinding[];
  /** The silences in effect. */
  silences: Silence[];
  recipients: { emails: string[]; webhookHost: string | null; members: AlertMember[] };
}

/** @throws AppError `cluster_not_found` */
export async function getClusterHealth(scope: Scope, input: { clusterId: string }): Promise<ClusterHealth> {
  const { tx, organizationId, now } = scope;
  const cluster = await findCluster(scope, input.clusterId);
  const of = { clusterId: cluster.id, organizationId };
  const health = await tx.clusterHealth.findFirst({ where: of });
  const rows = await tx.healthFinding.findMany({ where: { ...of, resolvedAt: null }, orderBy: { id: 'asc' } });
  const silences = await listSilences(scope, input);
  const { emails, webhookUrl, members } = await alertRecipients(scope);
  return {
    level: shownLevel(health, now),
    since: health?.levelSince ?? null,
    assessedAt: health?.assessedAt ?? null,
    findings: rows
      .map(
        ({ id, rule, severity, subject, cause, since }): OpenFinding => ({
          id,
          rule,
          severity: severity === 'critical' ? 'critical' : 'warning',
          subject: subject as OpenFinding['subject'],
          cause,
          ...textOf(rule),
          since,
          isSilenced: isSilenced(silences, rule),
        }),
      )
      .toSorted((left, right) =>
        left.severity === right.severity
          ? left.since.getTime() - right.since.getTime()
          : left.severity === 'critical'
            ? -1
            : 1,
      ),
    silences,
    // Only the host: the paths of webhook URLs are often secrets.
    recipients: { emails, webhookHost: webhookUrl === null ? null : new URL(webhookUrl).host, members },
  };
}

/** The stored level; `unknown` once it is stale. */
export function shownLevel(stored: { level: string; assessedAt: Date } | null, now: Date): HealthLevel {
  if (stored === null || now.getTime() - stored.assessedAt.getTime() > STALE_AFTER_MS) {
    return 'unknown';
  }
  const { level } = stored;
  return level === 'healthy' || level === 'degraded' || level === 'critical' ? level : 'waiting';
}
