// Makes the payment method of a completed Checkout session the one that invoices are charged to.
import { inTenant, lockBillingAccount } from '@penstock/tenancy';
import { queueStripeCall } from '../collection/queue-stripe-call.ts';
import type { PaymentContext } from './payment-context.ts';
import { settleStripeCall } from './settle-stripe-call.ts';
import { syncCustomer } from './sync-customer.ts';

export type SetupOutcome = 'applied' | 'not completed' | 'not ours';

/**
 * Idempotent: safe to call repeatedly for each session.
 * @param organizationId if given, sessions of other organizations are refused
 */
export async function applyPaymentSetup(
  context: PaymentContext,
  sessionId: string,
  organizationId?: string,
): Promise<SetupOutcome> {
  const { database, stripe, clock } = context;
  const setup = await stripe.readSetup(sessionId);
  if (setup === undefined) {
    return 'not completed';
  }
  const { stripeCustomerId, paymentMethodId, createdAtS } = setup;
  // The owner must be found before row-level security can apply.
  const owner = await database.billingAccount.findUnique({
    where: { stripeCustomerId },
    select: { organizationId: true },
  });
  if (owner === null || (organizationId !== undefined && owner.organizationId !== organizationId)) {
    return 'not ours';
  }
  const callId = await inTenant(database, owner.organizationId, async (tx) => {
    const now = clock();
    await lockBillingAccount({ tx, organizationId: owner.organizationId, now });
    // A late event of an older session must not bring back its card.
    const [later] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM stripe_call
      WHERE organization_id = ${owner.organizationId} AND operation = 'customer.set_payment_method'
        AND (parameters->>'setupAtS')::bigint > ${createdAtS}
      LIMIT 1`;
    if (later !== undefined) {
      return undefined;
    }
    return queueStripeCall(tx, {
      organizationId: owner.organizationId,
      operation: 'customer.set_payment_method',
      subject: `${owner.organizationId}/payment-method-${paymentMethodId}`,
      parameters: { paymentMethodId, setupAtS: createdAtS },
      now,
    });
  });
  if (callId !== undefined) {
    await settleStripeCall(context, callId);
  }
  await syncCustomer(context, stripeCustomerId);
  return 'applied';
}
