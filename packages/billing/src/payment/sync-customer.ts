// Updates the payment method that we show to the one that Stripe charges. Locks the row before reading from Stripe, so
// that of two concurrent readings the later one wins.
import { inTenant, lockBillingAccount, recordAudit } from '@penstock/tenancy';
import { newMethodAttempt, queuePaymentAttempt } from '../collection/queue-invoice-collection.ts';
import { claimCreditsForCard } from '../credit/grant-sign-up-credits.ts';
import { type PaymentContext, paymentActor } from './payment-context.ts';

/** @throws StripeUnavailable, StripeRefusal */
export async function syncCustomer(context: PaymentContext, stripeCustomerId: string): Promise<void> {
  const { database, stripe, clock } = context;
  // The owner must be found before row-level security can apply.
  const owner = await database.billingAccount.findUnique({
    where: { stripeCustomerId },
    select: { organizationId: true },
  });
  if (owner === null) {
    return;
  }
  const { organizationId } = owner;
  await inTenant(database, organizationId, async (tx) => {
    const now = clock();
    const account = await lockBillingAccount({ tx, organizationId, now });
    const { paymentMethod } = await stripe.readCustomer(stripeCustomerId);
    const id = paymentMethod?.id ?? null;
    const label = paymentMethod?.label ?? null;
    if (id === account.stripePaymentMethodId && label === account.paymentMethodLabel) {
      return;
    }
    await tx.billingAccount.update({
      where: { organizationId },
      data: { stripePaymentMethodId: id, paymentMethodLabel: label },
    });
    await recordAudit(
      { tx, organizationId, now, actor: paymentActor },
      {
        action: 'billing.change-payment-method',
        targetType: 'organization',
        targetId: organizationId,
        before: { paymentMethod: account.paymentMethodLabel },
        after: { paymentMethod: label },
      },
    );
    if (id === null || id === account.stripePaymentMethodId) {
      return;
    }
    if (paymentMethod?.fingerprint !== undefined) {
      await claimCreditsForCard({ tx, organizationId, now }, paymentMethod.fingerprint);
    }
    // A customer who adds another card after a failure wants to pay, so the invoices are charged again.
    const failing = await tx.paymentFailure.findMany({
      where: { organizationId, invoice: { status: 'open', collection: 'card', stripeInvoiceId: { not: null } } },
      orderBy: { failingSince: 'asc' },
      select: { invoiceId: true },
    });
    for (const { invoiceId } of failing) {
      await queuePaymentAttempt(tx, { organizationId, invoiceId, attempt: newMethodAttempt(id), now });
    }
  });
}
