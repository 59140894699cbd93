// Stripe pages that a user is waiting for. Their calls go through the outbox like all others, but are sent at once and
// not by the worker.
import type { Database } from '@penstock/database/client';
import { AppError, type Logger, newId } from '@penstock/platform';
import { inTenant, type Scope } from '@penstock/tenancy';
import { ensureCustomer } from '../collection/ensure-customer.ts';
import { queueStripeCall } from '../collection/queue-stripe-call.ts';
import type { CallParameters, StripeGateway } from '../stripe/index.ts';
import type { PaymentContext } from './payment-context.ts';
import { type Settlement, settleStripeCall } from './settle-stripe-call.ts';

/** The services that these use-cases need. */
export interface PaymentBackend {
  /** With the access `payments`: a call is settled outside of its organization's transaction. */
  payments: Database;
  stripe: StripeGateway | undefined;
  webUrl: string;
  logger: Logger;
}

/** The caller. There is no transaction yet: the call must be committed to the outbox before it is sent. */
export type Caller = Omit<Scope, 'tx'>;

/** @throws AppError `card_payment_unavailable` if Stripe is not configured */
export function requireStripe(backend: PaymentBackend, now: Date): PaymentContext {
  const { payments, stripe, logger } = backend;
  if (stripe === undefined) {
    throw new AppError({
      kind: 'refused',
      code: 'card_payment_unavailable',
      message: 'This installation doesn’t accept cards. Invoices are paid by bank transfer.',
      remedy: 'Follow the transfer instructions on the invoice.',
    });
  }
  const startMs = performance.now();
  return {
    database: payments,
    stripe,
    logger,
    clock: () => new Date(now.getTime() + Math.round(performance.now() - startMs)),
  };
}

type PageCall =
  | { operation: 'checkout_session.create'; parameters: CallParameters<'checkout_session.create'> }
  | { operation: 'portal_session.create'; parameters: CallParameters<'portal_session.create'> };

/** How long a user waits for a page. The worker may be sending calls for the same customer at that time. */
const TIMEOUT_MS = 8_000;
const PAUSE_MS = 200;

async function settleSoon(context: PaymentContext, callId: string): Promise<Settlement> {
  const deadlineMs = context.clock().getTime() + TIMEOUT_MS;
  for (;;) {
    const settlement = await settleStripeCall(context, callId);
    if (settlement.status !== 'waiting' || context.clock().getTime() > deadlineMs) {
      return settlement;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * Opens a page for this organization and returns its URL.
 * @throws AppError `stripe_unavailable` if Stripe does not answer in time, `card_payment_unavailable`
 */
export async function openPage(backend: PaymentBackend, caller: Caller, page: PageCall): Promise<string> {
  const { organizationId, now } = caller;
  const context = requireStripe(backend, now);
  const { customer, pageCallId } = await inTenant(backend.payments, organizationId, async (tx) => ({
    customer: await ensureCustomer({ tx, organizationId, now }),
    pageCallId: await queueStripeCall(tx, { organizationId, ...page, subject: newId(now.getTime()), now }),
  }));
  if (customer !== undefined) {
    await settleSoon(context, customer.callId);
  }
  const { outcome } = await settleStripeCall(context, pageCallId);
  if (outcome?.url === undefined) {
    throw new AppError({
      kind: 'unavailable',
      code: 'stripe_unavailable',
      message: 'Stripe, our payment provider, isn’t responding.',
      remedy: 'Try again in a minute.',
    });
  }
  return outcome.url;
}
