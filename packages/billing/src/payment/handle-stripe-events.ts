// Processes stored events, each until it has succeeded once. An event only says which object to read. Its current state
// at Stripe decides, so the order, number and delay of events do not matter.
import { StripeRefusal, type StripeSubject, StripeUnavailable, subjectOf } from '../stripe/index.ts';
import { applyPaymentSetup } from './apply-payment-setup.ts';
import type { PaymentContext } from './payment-context.ts';
import { CLAIM_MS, pauseAfter } from './settle-stripe-call.ts';
import { syncCharge } from './sync-charge.ts';
import { syncCustomer } from './sync-customer.ts';
import { syncInvoice } from './sync-invoice.ts';

const BATCH = 200;

async function syncSubject(context: PaymentContext, subject: StripeSubject | undefined): Promise<void> {
  if (subject === undefined) {
    return;
  }
  if (subject.kind === 'invoice') {
    await syncInvoice(context, subject.stripeInvoiceId);
  } else if (subject.kind === 'customer') {
    await syncCustomer(context, subject.stripeCustomerId);
  } else if (subject.kind === 'charge') {
    await syncCharge(context, subject.stripeChargeId);
  } else {
    await applyPaymentSetup(context, subject.sessionId);
  }
}

async function handleEvent(context: PaymentContext, event: { id: string; payload: unknown }): Promise<boolean> {
  const { database, clock, logger } = context;
  const now = clock();
  const [claimed] = await database.$queryRaw<{ attempts: number }[]>`
    UPDATE stripe_event SET attempts = attempts + 1, not_before = ${new Date(now.getTime() + CLAIM_MS)}
    WHERE id = ${event.id} AND handled_at IS NULL AND (not_before IS NULL OR not_before <= ${now})
    RETURNING attempts`;
  if (claimed === undefined) {
    return false;
  }
  let lastError: string | null = null;
  try {
    await syncSubject(context, subjectOf(event.payload));
  } catch (error) {
    if (error instanceof StripeUnavailable) {
      await database.stripeEvent.update({
        where: { id: event.id },
        data: { lastError: error.message, notBefore: new Date(clock().getTime() + pauseAfter(claimed.attempts)) },
      });
      return false;
    }
    if (!(error instanceof StripeRefusal)) {
      throw error;
    }
    // The object is gone or not accessible: reading it again would not help.
    lastError = error.message;
    logger.warn({ event: event.id, reason: error.message }, 'Stripe does not show what an event speaks of');
  }
  await database.stripeEvent.update({ where: { id: event.id }, data: { handledAt: clock(), lastError } });
  return true;
}

/** @returns how many were processed */
export async function handleStripeEvents(context: PaymentContext): Promise<number> {
  const now = context.clock();
  const events = await context.database.stripeEvent.findMany({
    where: { handledAt: null, OR: [{ notBefore: null }, { notBefore: { lte: now } }] },
    orderBy: { receivedAt: 'asc' },
    take: BATCH,
    select: { id: true, payload: true },
  });
  let handled = 0;
  for (const event of events) {
    if (await handleEvent(context, event)) {
      handled += 1;
    }
  }
  return handled;
}
