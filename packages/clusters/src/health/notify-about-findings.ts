// Sends alerts about new and resolved findings, once each: one mail for all findings of a cluster, one signed webhook
// call per finding. Alerts covered by a silence wait until it ends. A finding that returns soon after its alert is
// alerted again only if it lasts.
import { textOf, titleOf } from '@penstock/health';
import { nameInMail, queueMail, queueWebhook, type Scope, type WebhookEvent } from '@penstock/tenancy';
import { formatDateTime, MINUTE_MS } from '@penstock/units';
import { type AlertRecipients, alertRecipients } from './alert-recipients.ts';
import { holdingAt, isSilenced } from './silence.ts';

/** Minimum time between two alerts for the same finding, however often it recurs. */
export const REPEAT_AFTER_MS = 10 * MINUTE_MS;

export interface NotifyingCluster {
  id: string;
  name: string;
}

type Row = Awaited<ReturnType<typeof unnotifiedFindings>>['open'][number];

/** @returns how many findings were alerted, raised and resolved together */
export async function notifyAboutFindings(
  scope: Scope,
  cluster: NotifyingCluster,
  webUrl: string | undefined,
): Promise<number> {
  const { tx, now } = scope;
  const { open, over } = await unnotifiedFindings(scope, cluster.id);
  const raised = await worthTelling(scope, cluster.id, open);
  if (raised.length + over.length === 0) {
    return 0;
  }
  const recipients = await alertRecipients(scope);
  const link = webUrl === undefined ? null : `${webUrl}/app/clusters/${cluster.id}/events`;
  if (raised.length > 0) {
    await tell(scope, { cluster, recipients, link, type: 'health.raised', rows: raised });
    await tx.healthFinding.updateMany({ where: { id: { in: raised.map(({ id }) => id) } }, data: { notifiedAt: now } });
  }
  if (over.length > 0) {
    await tell(scope, { cluster, recipients, link, type: 'health.resolved', rows: over });
    await tx.healthFinding.updateMany({
      where: { id: { in: over.map(({ id }) => id) } },
      data: { resolvedToldAt: now },
    });
  }
  return raised.length + over.length;
}

async function unnotifiedFindings({ tx, organizationId }: Scope, clusterId: string) {
  // Locked, so that two workers cannot send the same alert.
  await tx.$queryRaw`
    SELECT 1 FROM health_finding WHERE cluster_id = ${clusterId}::uuid AND organization_id = ${organizationId}
      AND ((resolved_at IS NULL AND notified_at IS NULL)
        OR (resolved_at IS NOT NULL AND notified_at IS NOT NULL AND resolved_told_at IS NULL))
    ORDER BY id FOR UPDATE`;
  const of = { clusterId, organizationId };
  const open = await tx.healthFinding.findMany({
    where: { ...of, resolvedAt: null, notifiedAt: null },
    orderBy: { id: 'asc' },
  });
  const over = await tx.healthFinding.findMany({
    where: { ...of, resolvedAt: { not: null }, notifiedAt: { not: null }, resolvedToldAt: null },
    orderBy: { id: 'asc' },
  });
  return { open, over };
}

async function worthTelling(
  { tx, organizationId, now }: Scope,
  clusterId: string,
  open: readonly Row[],
): Promise<Row[]> {
  if (open.length === 0) {
    return [];
  }
  const silences = await tx.healthSilence.findMany({
    where: { clusterId, organizationId, ...holdingAt(now) },
    select: { rule: true },
  });
  const notified = await tx.healthFinding.findMany({
    where: {
      clusterId,
      organizationId,
      key: { in: open.map(({ key }) => key) },
      notifiedAt: { gt: new Date(now.getTime() - REPEAT_AFTER_MS) },
    },
    select: { key: true },
  });
  const notifiedKeys = new Set(notified.map(({ key }) => key));
  return open.filter(({ rule, key }) => !isSilenced(silences, rule) && !notifiedKeys.has(key));
}

interface News {
  cluster: NotifyingCluster;
  recipients: AlertRecipients;
  link: string | null;
  type: Extract<WebhookEvent, 'health.raised' | 'health.resolved'>;
  rows: readonly Row[];
}

async function tell(scope: Scope, { cluster, recipients, link, type, rows }: News): Promise<void> {
  const isOver = type === 'health.resolved';
  const [first] = rows;
  if (first === undefined) {
    return;
  }
  const more = rows.length === 1 ? '' : ` and ${rows.length - 1} more`;
  const subject = `${isOver ? 'Resolved' : first.severity === 'critical' ? 'Critical' : 'Warning'}: ${titleOf(first.rule)}${more} (${nameInMail(cluster.name)})`;
  const parts = rows.map((row) => (isOver ? overText(row) : raisedText(row)));
  const text = [
    `Cluster ${cluster.name} (${cluster.id})`,
    ...parts,
    ...(link === null ? [] : [`View events and alerts: ${link}`]),
  ].join('\n\n');
  for (const to of recipients.emails) {
    await queueMail(scope.tx, { to, subject, text, link }, scope.now);
  }
  if (recipients.webhookUrl === null) {
    return;
  }
  for (const row of rows) {
    await queueWebhook(scope, {
      url: recipients.webhookUrl,
      type,
      data: {
        findingId: row.id,
        clusterId: cluster.id,
        clusterName: cluster.name,
        rule: row.rule,
        severity: row.severity,
        title: titleOf(row.rule),
        cause: row.cause,
        remedy: textOf(row.rule).remedy,
        since: row.since.toISOString(),
        resolvedAt: row.resolvedAt?.toISOString() ?? null,
      },
    });
  }
}

function raisedText({ rule, cause, since, severity }: Row): string {
  return `${titleOf(rule)} (${severity}, since ${formatDateTime(since.getTime(), 'UTC')})\n${cause}\nWhat to do: ${textOf(rule).remedy}`;
}

function overText({ rule, since, resolvedAt }: Row): string {
  const times = [since, ...(resolvedAt === null ? [] : [resolvedAt])].map((at) => formatDateTime(at.getTime(), 'UTC'));
  return `${titleOf(rule)}: resolved. Open from ${times.join(' to ')}.`;
}
