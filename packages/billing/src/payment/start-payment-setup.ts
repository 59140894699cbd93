// Stripe's page for entering a card. We never see its number.
import { type Caller, openPage, type PaymentBackend } from './payment-session.ts';

/**
 * @returns the URL of the Checkout page. It returns the user to `/app/billing?setup=<session>`, which passes the
 * session to `completePaymentSetup`, or to `/app/billing` if they cancel
 * @throws AppError `card_payment_unavailable`, `stripe_unavailable`
 */
export function startPaymentSetup(backend: PaymentBackend, caller: Caller): Promise<string> {
  return openPage(backend, caller, {
    operation: 'checkout_session.create',
    parameters: {
      // The braces are Stripe's placeholder.
      successUrl: `${backend.webUrl}/app/billing?setup={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${backend.webUrl}/app/billing`,
    },
  });
}
