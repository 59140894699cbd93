// The page at Stripe on which a card is entered: we never see its number.
import { type Caller, openPage, type PaymentBackend } from './payment-session.ts';

/**
 * @returns the URL of the Checkout page. From it the person comes back to `/app/billing?setup=<session>`, which hands the session to
 * `completePaymentSetup`, or to `/app/billing` after changing their mind
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
