// Stores the result of a check: raised and resolved findings, their latest texts, the events about them, and the
// history.
import type { Prisma } from '@penstock/database/client';
import { type Assessment, type Finding, ruleTexts, type Subject, titleOf } from '@penstock/health';
import { newId } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';
import { formatDurationMs, SECOND_MS } from '@penstock/units';
import type { NewClusterEvent } from '../event/cluster-event.ts';
import { recordEvents } from '../event/record-events.ts';

/** Writes only what changed. Repeating it, even concurrently on two machines, raises nothing twice. */
export async function recordAssessment(scope: Scope, clusterId: string, assessment: Assessment): Promise<void> {
  const { tx, organizationId, now } = scope;
  const { verdict, occurrences, history } = assessment;
  const of = { clusterId, organizationId };
  const inserted = await tx.healthFinding.createManyAndReturn({
    data: assessment.raised.map((finding) => ({ ...rowOf(finding), ...of, id: newId(now.getTime()), raisedAt: now })),
    skipDuplicates: true,
    select: { key: true },
  });
  const insertedKeys = new Set(inserted.map(({ key }) => key));
  // Resolves everything that is not open, including findings that a killed worker raised without saving its history.
  const ended = await tx.healthFinding.updateManyAndReturn({
    where: { ...of, resolvedAt: null, key: { notIn: verdict.findings.map(({ key }) => key) } },
    data: { resolvedAt: now },
    select: { id: true, key: true, rule: true, severity: true, cause: true, subject: true, since: true },
  });
  for (const finding of verdict.findings) {
    const { severity, cause, subject } = rowOf(finding);
    await tx.healthFinding.updateMany({
      where: { ...of, key: finding.key, resolvedAt: null, NOT: { severity, cause } },
      data: { severity, cause, subject },
    });
  }
  await recordEvents(scope, clusterId, [
    ...occurrences.map(
      ({ type, agent, replaced, text }): NewClusterEvent => ({
        type: `io.penstock.${type}`,
        subject: agent === null ? null : `agent/${agent.nodeId}`,
        severity: 'info',
        text,
        data: agent === null ? {} : { ...agent, ...(replaced === undefined ? {} : { replaced: { ...replaced } }) },
      }),
    ),
    ...assessment.raised
      .filter(({ key }) => insertedKeys.has(key))
      .map(
        (finding): NewClusterEvent => ({
          type: 'io.penstock.health.raised',
          subject: subjectText(finding.subject),
          severity: finding.severity,
          text: `${ruleTexts[finding.rule].title}. ${finding.cause}`,
          data: {
            rule: finding.rule,
            key: finding.key,
            since: new Date(finding.sinceMs).toISOString(),
            ...finding.subject,
          },
        }),
      ),
    ...ended.map(({ key, rule, subject, since }): NewClusterEvent => {
      const about = subjectText(subject as Subject);
      const lastedS = Math.max(1, Math.round((now.getTime() - since.getTime()) / SECOND_MS));
      return {
        type: 'io.penstock.health.resolved',
        subject: about,
        severity: 'info',
        text: `Resolved after ${formatDurationMs(lastedS * SECOND_MS)}: ${titleOf(rule)}${about === null ? '' : ` (${about.replace('/', ' ')})`}.`,
        data: { rule, key, since: since.toISOString() },
      };
    }),
  ]);
  const saved = { history: history as unknown as Prisma.InputJsonObject, savedAt: now };
  await tx.clusterHealthHistory.upsert({
    where: { clusterId },
    create: { ...of, ...saved },
    update: saved,
  });
  const level = { level: verdict.level, levelSince: new Date(verdict.sinceMs), assessedAt: now };
  await tx.clusterHealth.upsert({ where: { clusterId }, create: { ...of, ...level }, update: level });
}

function rowOf({ key, rule, severity, subject, cause, sinceMs }: Finding) {
  return { key, rule, severity, subject: { ...subject }, cause, since: new Date(sinceMs) };
}

function subjectText({ agentId, zone, group }: Subject): string | null {
  if (group !== undefined) {
    return `group/${group}`;
  }
  if (agentId !== undefined) {
    return `agent/${agentId}`;
  }
  return zone === undefined ? null : `zone/${zone}`;
}
