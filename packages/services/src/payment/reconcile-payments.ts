// Asks Stripe about everything of ours that is open there, so that a webhook that never came loses nothing.
import { interactiveOperations, StripeRefusal, StripeUnavailable } from '@penstock/billing/stripe';
import { applyPaymentSetup } from './apply-payment-setup.ts';
import { lookAtCustomer } from './look-at-customer.ts';
import { lookAtInvoice } from './look-at-invoice.ts';
import type { PaymentTools } from './payment-tools.ts';

/** A page at Stripe can be completed for 24 hours; one more for whoever was slow. */
const pageLife_ms = 25 * 60 * 60 * 1000;
const pageSize = 200;

export interface Reconciliation {
  invoices: number;
  /** Pages for payment methods. */
  setups: number;
  /** Looks that Stripe did not answer, or refused. */
  failed: number;
}

/** Every open card invoice is looked at, and every page at Stripe on which somebody may have changed how they pay. */
export async function reconcilePayments(tools: PaymentTools): Promise<Reconciliation> {
  const { database, clock, logger } = tools;
  const result: Reconciliation = { invoices: 0, setups: 0, failed: 0 };

  async function look(what: 'invoices' | 'setups', id: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      result[what] += 1;
    } catch (error) {
      if (!(error instanceof StripeUnavailable || error instanceof StripeRefusal)) throw error;
      result.failed += 1;
      logger.warn(
        { at: id, reason: error.message },
        'Could not compare with Stripe; the next reconciliation tries again',
      );
    }
  }

  let after: string | undefined;
  for (;;) {
    const invoices = await database.invoice.findMany({
      where: {
        status: 'open',
        collection: 'card',
        stripeInvoiceId: { not: null },
        ...(after === undefined ? {} : { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      take: pageSize,
      select: { id: true, stripeInvoiceId: true },
    });
    for (const { id, stripeInvoiceId } of invoices) {
      if (stripeInvoiceId !== null) await look('invoices', id, () => lookAtInvoice(tools, stripeInvoiceId));
    }
    after = invoices.at(-1)?.id;
    if (invoices.length < pageSize) break;
  }

  const sessions = await database.stripeCall.findMany({
    where: {
      operation: { in: [...interactiveOperations] },
      status: 'done',
      doneAt: { gt: new Date(clock().getTime() - pageLife_ms) },
    },
    orderBy: { id: 'asc' },
    select: { id: true, operation: true, resultId: true, organizationId: true },
  });
  for (const { id, operation, resultId, organizationId } of sessions) {
    if (operation === 'checkout_session.create' && resultId !== null) {
      await look('setups', id, () => applyPaymentSetup(tools, resultId));
      continue;
    }
    const account = await database.billingAccount.findUnique({ where: { organizationId } });
    const customerId = account?.stripeCustomerId ?? undefined;
    if (customerId !== undefined) await look('setups', id, () => lookAtCustomer(tools, customerId));
  }
  return result;
}
