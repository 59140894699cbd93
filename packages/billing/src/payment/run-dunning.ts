// Follows up unpaid invoices: records overdue transfers, retries cards, sends mails (each once) and updates standings.
import type { Database } from '@penstock/database/client';
import { formatUsdCents, usd } from '@penstock/pricing';
import { inTenant, lockBillingAccount, queueMail } from '@penstock/tenancy';
import { billingRecipients } from '../billing-account/billing-recipients.ts';
import { FIRST_ATTEMPT, paymentSubject, queuePaymentAttempt } from '../collection/queue-invoice-collection.ts';
import { readOpenAmounts } from '../credit/record-booking.ts';
import { dunningMail } from './dunning-mails.ts';
import { dueStep } from './dunning-rules.ts';
import { noteFailedPayment } from './payment-failure.ts';
import { refreshStanding } from './standing.ts';

export interface DunningOptions {
  now: Date;
  /** Without Stripe, no card is retried. */
  isStripeConfigured: boolean;
  /** The origin of the dashboard, for the links in mails. */
  webUrl: string | undefined;
}

/** Overdue transfers. Amounts below the minimum card charge are not followed up. */
async function noteOverdueTransfers(database: Database, now: Date): Promise<void> {
  const overdue = await database.invoice.findMany({
    where: {
      kind: 'invoice',
      status: 'open',
      collection: 'transfer',
      dueAt: { lte: now },
      totalUsd: { gte: '0.50' },
      failure: null,
    },
    select: { id: true, organizationId: true, dueAt: true },
  });
  for (const { id: invoiceId, organizationId, dueAt } of overdue) {
    await inTenant(database, organizationId, (tx) =>
      noteFailedPayment({ tx, organizationId, now }, { invoiceId, reason: undefined, since: dueAt }),
    );
  }
}

/** The attempt to charge before the mail of a step. */
function attemptOf(step: number): string {
  return step === 0 ? FIRST_ATTEMPT : `attempt-${step + 1}`;
}

/**
 * Follows up one failure: the card is charged again first, and the mail is sent only if that has failed too. @returns
 * whether a mail was sent
 */
async function followUp(
  database: Database,
  { invoiceId, organizationId }: { invoiceId: string; organizationId: string },
  options: DunningOptions,
): Promise<boolean> {
  const { now, isStripeConfigured, webUrl } = options;
  return inTenant(database, organizationId, async (tx) => {
    const account = await lockBillingAccount({ tx, organizationId, now });
    const failure = await tx.paymentFailure.findUniqueOrThrow({ where: { invoiceId }, include: { invoice: true } });
    const { invoice, failingSince, mailedSteps, reason } = failure;
    const step = dueStep(failingSince, mailedSteps, now);
    if (invoice.status !== 'open' || step === undefined) {
      return false;
    }

    const collection = invoice.collection === 'card' ? 'card' : 'transfer';
    if (collection === 'card' && isStripeConfigured && step > 0) {
      const attempt = attemptOf(step);
      await queuePaymentAttempt(tx, { organizationId, invoiceId, attempt, now });
      const call = await tx.stripeCall.findUniqueOrThrow({
        where: { operation_subject: { operation: 'invoice.pay', subject: paymentSubject(invoiceId, attempt) } },
      });
      if (call.status === 'waiting') {
        return false;
      }
    }

    const { name } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId }, select: { name: true } });
    const open = (await readOpenAmounts({ tx, organizationId }, [invoiceId])).get(invoiceId);
    const link = webUrl === undefined ? null : `${webUrl}/app/billing`;
    const mail = dunningMail(
      {
        organizationName: name,
        invoiceNumber: invoice.number,
        openUsd: formatUsdCents(open ?? usd(invoice.totalUsd.toFixed())).replace('$', ''),
        collection,
        failingSince,
        reason,
        link,
      },
      step,
    );
    for (const to of await billingRecipients({ tx, organizationId }, account)) {
      await queueMail(tx, { to, ...mail, link }, now);
    }
    await tx.paymentFailure.update({ where: { invoiceId }, data: { mailedSteps: step + 1 } });
    return true;
  });
}

/** @returns about how many invoices a mail was sent */
export async function runDunning(database: Database, options: DunningOptions): Promise<number> {
  const { now } = options;
  await noteOverdueTransfers(database, now);
  const failures = await database.paymentFailure.findMany({
    where: { invoice: { status: 'open' } },
    orderBy: { failingSince: 'asc' },
    select: { invoiceId: true, organizationId: true },
  });
  let mailed = 0;
  for (const failure of failures) {
    if (await followUp(database, failure, options)) {
      mailed += 1;
    }
  }

  // Standings also change with the calendar, and with anything else that settles an invoice, e.g. a credit note.
  const unsettled = await database.billingAccount.findMany({
    where: { standing: { not: 'good' } },
    select: { organizationId: true },
  });
  const failing = await database.paymentFailure.findMany({
    where: { invoice: { status: 'open' } },
    distinct: ['organizationId'],
    select: { organizationId: true },
  });
  const organizations = new Set([...unsettled, ...failing].map((row) => row.organizationId));
  for (const organizationId of organizations) {
    await inTenant(database, organizationId, (tx) => refreshStanding({ tx, organizationId, now }));
  }
  return mailed;
}
