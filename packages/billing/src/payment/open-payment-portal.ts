// Stripe's own pages for receipts and cards.
import { type Caller, openPage, type PaymentBackend } from './payment-session.ts';

/**
 * @returns the URL of the portal, which returns the user to `/app/billing`
 * @throws AppError `card_payment_unavailable`, `stripe_unavailable`
 */
export function openPaymentPortal(backend: PaymentBackend, caller: Caller): Promise<string> {
  return openPage(backend, caller, {
    operation: 'portal_session.create',
    parameters: { returnUrl: `${backend.webUrl}/app/billing?portal=left` },
  });
}
