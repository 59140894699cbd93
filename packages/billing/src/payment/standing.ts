// An organization's payment standing, stored in its billing account so that pages and use-cases read one column.
import { lockBillingAccount, recordAudit, type Scope } from '@penstock/tenancy';
import { standingOf } from './dunning-rules.ts';
import { paymentActor } from './payment-context.ts';

/** Sets the standing that follows from the open failures: good again as soon as the last of them is paid. */
export async function refreshStanding(scope: Pick<Scope, 'tx' | 'organizationId' | 'now'>): Promise<void> {
  const { tx, organizationId, now } = scope;
  const account = await lockBillingAccount(scope);
  const oldest = await tx.paymentFailure.findFirst({
    where: { organizationId, invoice: { status: 'open' } },
    orderBy: { failingSince: 'asc' },
    select: { failingSince: true },
  });
  const standing = standingOf(oldest?.failingSince ?? null, now);
  if (standing === account.standing) {
    return;
  }
  await tx.billingAccount.update({ where: { organizationId }, data: { standing, standingSince: now } });
  await recordAudit(
    { ...scope, actor: paymentActor },
    {
      action: 'billing.change-standing',
      targetType: 'organization',
      targetId: organizationId,
      before: { standing: account.standing },
      after: { standing },
    },
  );
}
