// Corrects a final invoice by a credit note: first it reduces the open amount, then it returns what was paid as
// credits.
import { AppError, newId } from '@penstock/platform';
import { formatUsdCents, smaller, sumUsd, type Usd, usd, ZERO_USD } from '@penstock/pricing';
import { lockBillingAccount, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { billingRecipients } from '../billing-account/billing-recipients.ts';
import { queueCreditNoteCollection } from '../collection/queue-credit-note.ts';
import { readOpenAmounts, recordBooking } from '../credit/record-booking.ts';
import { creditNoteIssued } from '../ledger/booking.ts';
import { findInvoice } from './get-invoice.ts';
import type { InvoiceSummary } from './invoice.ts';
import { creditNoteMail } from './invoice-mails.ts';
import { type InvoiceRow, toSummary } from './invoice-row.ts';
import type { InvoiceSettings } from './invoice-settings.ts';
import { nextNumber, sealInvoice } from './number-and-seal.ts';

export interface CreditNoteInput {
  invoiceId: string;
  /** Positive, with at most two decimals; at most the part of the invoice's subtotal that has not been credited yet. */
  amountUsd: string;
  /** Shown to the customer. */
  reason: string;
}

const amountPattern = /^\d{1,12}(\.\d{1,2})?$/;

/** @throws AppError `invoice_not_found`, `amount_invalid`, `reason_missing`, `credit_note_too_high` */
export async function issueCreditNote(
  scope: Scope,
  input: CreditNoteInput,
  settings: Pick<InvoiceSettings, 'webUrl'>,
): Promise<InvoiceSummary> {
  const { tx, organizationId, now } = scope;
  const amountUsd = readAmount(input.amountUsd);
  const reason = readReason(input.reason);
  const account = await lockBillingAccount(scope);
  const invoice = await findInvoice(scope, input.invoiceId);
  await refuseTooMuch(scope, invoice, amountUsd);
  const openUsd = (await readOpenAmounts(scope, [invoice.id])).get(invoice.id) ?? ZERO_USD;
  const id = newId(now.getTime());
  const number = await nextNumber(tx, 'CN', now);
  const negative = amountUsd.negated().toFixed(2);
  const row = await tx.invoice.create({
    data: {
      id,
      organizationId,
      number,
      kind: 'credit_note',
      correctsId: invoice.id,
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      subtotalUsd: negative,
      creditUsd: '0',
      totalUsd: negative,
      billedTo: invoice.billedTo ?? {},
      billedBy: invoice.billedBy ?? {},
      reason,
      collection: invoice.collection,
      status: 'issued',
      finalizedAt: now,
      dueAt: now,
    },
  });
  await tx.invoiceLine.create({
    data: {
      invoiceId: id,
      position: 1,
      product: 'correction',
      description: `Correction of invoice ${invoice.number}: ${reason}`,
      amountUsd: negative,
    },
  });
  await sealInvoice(scope, id);
  await recordBooking(
    scope,
    creditNoteIssued({
      reference: `credit_note:${id}`,
      description: `Credit note ${number} for invoice ${invoice.number}`,
      invoiceId: invoice.id,
      amountUsd,
      openUsd,
    }),
  );
  if (openUsd.gt(0)) {
    await queueCreditNoteCollection(tx, {
      creditNoteId: id,
      invoiceId: invoice.id,
      organizationId,
      openUsd: smaller(amountUsd, openUsd).toFixed(2),
      reason,
      now,
    });
    if (amountUsd.gte(openUsd)) {
      await tx.invoice.update({ where: { id: invoice.id }, data: { status: 'paid', paidAt: now } });
    }
  }
  const link = settings.webUrl === undefined ? null : `${settings.webUrl}/app/billing/invoices/${id}`;
  const facts = { number, invoiceNumber: invoice.number, amountUsd: amountUsd.toFixed(2), reason, link };
  for (const to of await billingRecipients(scope, account)) {
    await queueMail(tx, creditNoteMail(to, facts), now);
  }
  await recordAudit(scope, {
    action: 'credit-note.issue',
    targetType: 'invoice',
    targetId: id,
    after: { number, corrects: invoice.number, amountUsd: facts.amountUsd, reason },
  });
  return toSummary(row, undefined);
}

function readAmount(text: string): Usd {
  const amount = amountPattern.test(text) ? usd(text) : ZERO_USD;
  if (amount.gt(0)) {
    return amount;
  }
  throw new AppError({
    kind: 'invalid-input',
    code: 'amount_invalid',
    field: 'amountUsd',
    message: 'This amount can’t be credited.',
    remedy: 'Use an amount above zero with at most two decimals, such as 12.34.',
  });
}

function readReason(text: string): string {
  const reason = text.trim();
  if (reason.length >= 3 && reason.length <= 500) {
    return reason;
  }
  throw new AppError({
    kind: 'invalid-input',
    code: 'reason_missing',
    field: 'reason',
    message: 'A credit note needs a reason.',
    remedy: 'Use a reason of 3 to 500 characters. The customer sees it.',
  });
}

async function refuseTooMuch({ tx, organizationId }: Scope, invoice: InvoiceRow, amountUsd: Usd): Promise<void> {
  const notes =
    invoice.kind === 'invoice'
      ? await tx.invoice.findMany({ where: { organizationId, correctsId: invoice.id }, select: { totalUsd: true } })
      : [];
  const credited = sumUsd(notes.map(({ totalUsd }) => usd(totalUsd.toFixed())));
  // A credit note cannot be credited itself: its subtotal is negative.
  const left = usd(invoice.subtotalUsd.toFixed()).plus(credited);
  if (amountUsd.lte(left)) {
    return;
  }
  throw new AppError({
    kind: 'refused',
    code: 'credit_note_too_high',
    field: 'amountUsd',
    message: left.gt(0)
      ? `At most ${formatUsdCents(left)} of ${invoice.number} can still be credited.`
      : `${invoice.number} has already been credited in full.`,
    remedy: 'Credit a smaller amount or another invoice.',
  });
}
