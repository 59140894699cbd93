// Organizations with long overdue invoices cannot create clusters. Existing clusters keep running.
import { AppError } from '@penstock/platform';
import type { Scope } from '@penstock/tenancy';

/** @throws AppError `payment_overdue` while the organization's standing is restricted */
export async function assertMayCreateCluster({
  tx,
  organizationId,
}: Pick<Scope, 'tx' | 'organizationId'>): Promise<void> {
  const account = await tx.billingAccount.findUnique({ where: { organizationId }, select: { standing: true } });
  if (account?.standing !== 'restricted') {
    return;
  }
  throw new AppError({
    kind: 'refused',
    code: 'payment_overdue',
    message:
      'You can’t create clusters because an invoice has been unpaid for three weeks. Existing clusters and their data are not affected.',
    remedy: 'Pay the open invoice under Billing. You can then create clusters again immediately.',
  });
}
