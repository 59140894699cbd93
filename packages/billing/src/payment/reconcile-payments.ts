// Asks Stripe about everything of ours that is open there, so that a missed webhook loses nothing.
import type { Database } from '@penstock/database/client';
import { DAY_MS, HOUR_MS } from '@penstock/units';
import {
  dueReversals,
  interactiveOperations,
  type ReversalsReading,
  referencesOf,
  StripeRefusal,
  StripeUnavailable,
} from '../stripe/index.ts';
import { applyPaymentSetup } from './apply-payment-setup.ts';
import type { PaymentContext } from './payment-context.ts';
import { syncCharge } from './sync-charge.ts';
import { syncCustomer } from './sync-customer.ts';
import { syncInvoice } from './sync-invoice.ts';

/** A Stripe page can be completed for 24 hours. One more hour as a margin. */
const PAGE_LIFE_MS = 25 * HOUR_MS;
const PAGE_SIZE = 200;
/**
 * A cardholder may dispute a payment for months, and the dispute then takes weeks. Later refunds are known only from
 * webhooks.
 */
const REVERSAL_REACH_MS = 120 * DAY_MS;

export interface Reconciliation {
  invoices: number;
  /** Number of payment method pages. */
  setups: number;
  /** Charges with a refund or a dispute that was not in the ledger. */
  charges: number;
  /** Requests that Stripe did not answer, or refused. */
  failed: number;
}

/** The charges with refunds or disputes that are not in the ledger. */
async function chargesToLookAt(database: Database, reading: ReversalsReading): Promise<Set<string>> {
  const known = await database.ledgerTransaction.findMany({
    where: { reference: { in: referencesOf(reading) } },
    select: { reference: true },
  });
  const booked = new Set(known.map(({ reference }) => reference));
  const refunds = reading.refunds.filter(
    (refund) => dueReversals({ refunds: [refund], disputes: [] }, booked).length > 0,
  );
  const disputes = reading.disputes.filter(
    (dispute) => dueReversals({ refunds: [], disputes: [dispute] }, booked).length > 0,
  );
  return new Set([...refunds, ...disputes].map(({ stripeChargeId }) => stripeChargeId));
}

/**
 * Checks every open card invoice, every Stripe page on which a user may have changed their payment method, and every
 * refund and dispute that is not in the ledger.
 */
export async function reconcilePayments(context: PaymentContext): Promise<Reconciliation> {
  const { database, stripe, clock, logger } = context;
  const result: Reconciliation = { invoices: 0, setups: 0, charges: 0, failed: 0 };

  /** Requests that fail are repeated by the next reconciliation. */
  async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StripeUnavailable || error instanceof StripeRefusal)) {
        throw error;
      }
      result.failed += 1;
      logger.warn(
        { at: what, reason: error.message },
        'Could not compare with Stripe; the next reconciliation tries again',
      );
      return undefined;
    }
  }
  function sync(what: Exclude<keyof Reconciliation, 'failed'>, id: string, work: () => Promise<unknown>) {
    return attempt(id, async () => {
      await work();
      result[what] += 1;
    });
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
      take: PAGE_SIZE,
      select: { id: true, stripeInvoiceId: true },
    });
    for (const { id, stripeInvoiceId } of invoices) {
      if (stripeInvoiceId !== null) {
        await sync('invoices', id, () => syncInvoice(context, stripeInvoiceId));
      }
    }
    after = invoices.at(-1)?.id;
    if (invoices.length < PAGE_SIZE) {
      break;
    }
  }

  const sessions = await database.stripeCall.findMany({
    where: {
      operation: { in: [...interactiveOperations] },
      status: 'done',
      doneAt: { gt: new Date(clock().getTime() - PAGE_LIFE_MS) },
    },
    orderBy: { id: 'asc' },
    select: { id: true, operation: true, resultId: true, organizationId: true },
  });
  for (const { id, operation, resultId, organizationId } of sessions) {
    if (operation === 'checkout_session.create' && resultId !== null) {
      await sync('setups', id, () => applyPaymentSetup(context, resultId));
      continue;
    }
    const account = await database.billingAccount.findUnique({ where: { organizationId } });
    const customerId = account?.stripeCustomerId ?? undefined;
    if (customerId !== undefined) {
      await sync('setups', id, () => syncCustomer(context, customerId));
    }
  }

  const sinceS = Math.floor((clock().getTime() - REVERSAL_REACH_MS) / 1000);
  const reversals = await attempt('refunds and disputes', () => stripe.readReversals({ sinceS }));
  for (const id of reversals === undefined ? [] : await chargesToLookAt(database, reversals)) {
    await sync('charges', id, () => syncCharge(context, id));
  }
  return result;
}
