// The person is back from Checkout: what they entered holds at once, whether or not Stripe's webhook has come.
import { AppError } from '@penstock/platform';
import { StripeRefusal, StripeUnavailable } from '../stripe/index.ts';
import { applyPaymentSetup } from './apply-payment-setup.ts';
import { type PaymentBackend, requireStripe, type Tenant } from './payment-session.ts';

/**
 * @returns false while the session is not completed
 * @throws AppError `payment_setup_not_found` for a session that is unknown or another organization's, `stripe_unavailable`
 */
export async function completePaymentSetup(
  backend: PaymentBackend,
  tenant: Tenant,
  { sessionId }: { sessionId: string },
): Promise<boolean> {
  const unknown = new AppError({
    kind: 'not-found',
    code: 'payment_setup_not_found',
    message: 'There is no such visit to Stripe in this organization.',
    remedy: 'Add the payment method again under Billing.',
  });
  try {
    const tools = requireStripe(backend, tenant.now);
    const outcome = await applyPaymentSetup(tools, sessionId, tenant.organizationId);
    if (outcome === 'not ours') throw unknown;
    return outcome === 'applied';
  } catch (error) {
    if (error instanceof StripeRefusal) throw unknown;
    if (!(error instanceof StripeUnavailable)) throw error;
    throw new AppError({
      kind: 'unavailable',
      code: 'stripe_unavailable',
      message: 'Your card has been entered, but Stripe does not answer at the moment.',
      remedy: 'Nothing is lost: it will show here within a few minutes.',
      cause: error,
    });
  }
}
