// Silences alerts of one rule, or of all rules, until a time. Issues are still raised, shown and logged.
import type { ruleIds } from '@penstock/health';
import { AppError, newId } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS, formatDurationMs } from '@penstock/units';
import { lockCluster } from '../cluster/cluster.ts';
import { recordEvents } from '../event/record-events.ts';
import { holdingAt, ruleText, type Silence, silenceColumns } from './silence.ts';

/** A longer silence is probably a forgotten one. */
export const LONGEST_SILENCE_MS = 30 * DAY_MS;
/** Per cluster, at the same time. */
const MOST_SILENCES = 50;

/** @throws AppError `cluster_not_found`, `silence_until_invalid`, `silences_too_many` */
export async function createSilence(
  scope: Scope,
  input: { clusterId: string; rule: (typeof ruleIds)[number] | null; until: Date; reason: string },
): Promise<Silence> {
  const { tx, organizationId, now, actor } = scope;
  const cluster = await lockCluster(scope, input.clusterId);
  if (input.until <= now || input.until.getTime() - now.getTime() > LONGEST_SILENCE_MS) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'silence_until_invalid',
      field: 'until',
      message: 'A silence must end within the next 30 days.',
      remedy: 'Choose a time in the future, at most 30 days from now.',
    });
  }
  const of = { clusterId: cluster.id, organizationId };
  if ((await tx.healthSilence.count({ where: { ...of, ...holdingAt(now) } })) >= MOST_SILENCES) {
    throw new AppError({
      kind: 'refused',
      code: 'silences_too_many',
      message: `This cluster has reached the limit of ${MOST_SILENCES} active silences.`,
      remedy: 'End one of them first, or use one silence for all rules.',
    });
  }
  const silence = await tx.healthSilence.create({
    data: {
      id: newId(now.getTime()),
      ...of,
      rule: input.rule,
      reason: input.reason,
      until: input.until,
      createdBy: actor.label,
      createdAt: now,
    },
    select: silenceColumns,
  });
  const facts = {
    silenceId: silence.id,
    rule: silence.rule,
    until: silence.until.toISOString(),
    reason: silence.reason,
  };
  await recordEvents(scope, cluster.id, [
    {
      type: 'io.penstock.silence.created',
      subject: null,
      severity: 'info',
      text: `${actor.label} silenced ${ruleText(input.rule)} for ${formatDurationMs(input.until.getTime() - now.getTime())}.`,
      data: facts,
    },
  ]);
  await recordAudit(scope, { action: 'silence.create', targetType: 'cluster', targetId: cluster.id, after: facts });
  return silence;
}
