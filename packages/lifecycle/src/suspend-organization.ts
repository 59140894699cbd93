// Suspends an organization and lifts the suspension, for operator commands. It is a state of its own: no job sets or lifts
// it. The owners of its clusters follow within seconds; see decision 0050.
import { ownerAddresses } from '@penstock/identity';
import { AppError } from '@penstock/platform';
import { getSuspension, queueMail, recordAudit, type Scope, type Suspension } from '@penstock/tenancy';
import { suspensionLiftedMail, suspensionMail } from './organization-mails.ts';

export const MAX_SUSPENSION_REASON_CHARS = 500;

export interface NewSuspension {
  /** The reason shown to the customer on pages, in mail and in producer errors. */
  reason: string;
  readsAllowed: boolean;
}

/**
 * Suspends the organization, or changes the reason and the reads of its suspension.
 * @throws AppError `suspension_invalid`
 */
export async function suspendOrganization(scope: Scope, input: NewSuspension): Promise<Suspension> {
  const { tx, organizationId, actor, now } = scope;
  const reason = input.reason.trim();
  if (reason === '' || reason.length > MAX_SUSPENSION_REASON_CHARS) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'suspension_invalid',
      message: `A suspension needs a reason of at most ${MAX_SUSPENSION_REASON_CHARS} characters.`,
      remedy: 'Write what the customer has to know: what happened, and what lifts the suspension.',
    });
  }
  const { name } = await lockOrganization(scope);
  const before = await getSuspension(scope);
  const { readsAllowed } = input;
  await tx.organizationSuspension.upsert({
    where: { organizationId },
    create: { organizationId, reason, readsAllowed, suspendedBy: actor.label, suspendedAt: now },
    update: { reason, readsAllowed, suspendedBy: actor.label },
  });
  await recordAudit(scope, {
    action: 'organization.suspend',
    targetType: 'organization',
    targetId: organizationId,
    ...(before === null ? {} : { before: { reason: before.reason, readsAllowed: before.readsAllowed } }),
    after: { reason, readsAllowed },
  });
  for (const to of await ownerAddresses(scope)) {
    await queueMail(tx, suspensionMail(to, { name, reason, readsAllowed }), now);
  }
  return { reason, readsAllowed, suspendedAt: before?.suspendedAt ?? now };
}

/**
 * @param reason why it is lifted, for the audit log
 * @throws AppError `not_suspended`
 */
export async function liftSuspension(scope: Scope, { reason }: { reason: string }): Promise<void> {
  const { tx, organizationId, now } = scope;
  const { name } = await lockOrganization(scope);
  const before = await getSuspension(scope);
  if (before === null) {
    throw new AppError({
      kind: 'refused',
      code: 'not_suspended',
      message: `The organization ${name} is not suspended.`,
      remedy: 'Check the id of the organization.',
    });
  }
  await tx.organizationSuspension.delete({ where: { organizationId } });
  await recordAudit(scope, {
    action: 'organization.lift-suspension',
    targetType: 'organization',
    targetId: organizationId,
    before: { reason: before.reason, readsAllowed: before.readsAllowed },
    after: { reason },
  });
  for (const to of await ownerAddresses(scope)) {
    await queueMail(tx, suspensionLiftedMail(to, { name }), now);
  }
}

/** Two commands at once run one after the other. @throws AppError `organization_unknown` */
async function lockOrganization({ tx, organizationId }: Scope): Promise<{ name: string }> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    SELECT name FROM organization WHERE id = ${organizationId} AND purged_at IS NULL FOR UPDATE`;
  const [row] = rows;
  if (row === undefined) {
    throw new AppError({
      kind: 'not-found',
      code: 'organization_unknown',
      message: `There is no organization ${organizationId}.`,
    });
  }
  return row;
}
