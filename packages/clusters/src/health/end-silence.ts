// Ends a silence early. The worker's next check sends the alerts that it held back.
import { notFound } from '@penstock/platform';
import { recordAudit, type Scope } from '@penstock/tenancy';
import { recordEvents } from '../event/record-events.ts';
import { holdingAt, ruleText } from './silence.ts';

/** @throws AppError `silence_not_found` also for an expired one */
export async function endSilence(scope: Scope, input: { silenceId: string }): Promise<void> {
  const { tx, organizationId, now, actor } = scope;
  const [ended] = await tx.healthSilence.updateManyAndReturn({
    where: { id: input.silenceId, organizationId, ...holdingAt(now) },
    data: { endedAt: now },
  });
  if (ended === undefined) {
    throw notFound('silence', 'It may have ended already.');
  }
  const facts = { silenceId: ended.id, rule: ended.rule, until: ended.until.toISOString() };
  await recordEvents(scope, ended.clusterId, [
    {
      type: 'io.penstock.silence.ended',
      subject: null,
      severity: 'info',
      text: `${actor.label} ended the silence of ${ruleText(ended.rule)}.`,
      data: facts,
    },
  ]);
  await recordAudit(scope, { action: 'silence.end', targetType: 'cluster', targetId: ended.clusterId, before: facts });
}
