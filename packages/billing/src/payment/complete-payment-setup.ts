// Called when the user returns from Checkout. The new payment method applies at once, even before Stripe's webhook
// arrives.
import { AppError } from '@penstock/platform';
import { StripeRefusal, StripeUnavailable } from '../stripe/index.ts';
import { applyPaymentSetup } from './apply-payment-setup.ts';
import { type Caller, type PaymentBackend, requireStripe } from './payment-session.ts';

/**
 * @returns false until the session is completed
 * @throws AppError `payment_setup_not_found` for an unknown session or another organization's, `stripe_unavailable`
 */
export async function completePaymentSetup(
  backend: PaymentBackend,
  caller: Caller,
  { sessionId }: { sessionId: string },
): Promise<boolean> {
  const unknown = new AppError({
    kind: 'not-found',
    code: 'payment_setup_not_found',
    message: 'This payment setup doesn’t belong to this organization.',
    remedy: 'Add the payment method again under Billing.',
  });
  try {
    const context = requireStripe(backend, caller.now);
    const outcome = await applyPaymentSetup(context, sessionId, caller.organizationId);
    if (outcome === 'not ours') {
      throw unknown;
    }
    return outcome === 'applied';
  } catch (error) {
    if (error instanceof StripeRefusal) {
      throw unknown;
    }
    if (!(error instanceof StripeUnavailable)) {
      throw error;
    }
    throw new AppError({
      kind: 'unavailable',
      code: 'stripe_unavailable',
      message: 'Your card was entered, but Stripe isn’t responding.',
      remedy: 'The card will appear here within a few minutes.',
      cause: error,
    });
  }
}
