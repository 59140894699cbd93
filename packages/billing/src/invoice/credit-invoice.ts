// Issues a credit note on behalf of our staff. Available as a command, never to customers.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { sumUsd, usd, ZERO_USD } from '@penstock/pricing';
import { type Actor, inTenant, lockBillingAccount } from '@penstock/tenancy';
import { readOpenAmounts } from '../credit/record-booking.ts';
import { findInvoiceByNumber } from './find-invoice-by-number.ts';
import type { InvoiceSettings } from './invoice-settings.ts';
import { issueCreditNote } from './issue-credit-note.ts';

export interface CreditOrder {
  /** The number, such as PS-2026-000042 */
  invoiceNumber: string;
  /** e.g. 12.30; undefined for everything that has not been credited yet. */
  amountUsd: string | undefined;
  reason: string;
  /** Issues it even if the invoice already has one with the same amount and reason. */
  isRepeated: boolean;
}

export interface IssuedCreditNote {
  number: string;
  amountUsd: string;
  /** By how much the note reduced the open amount. */
  reducedUsd: string;
  /** The amount returned as credits. */
  creditedUsd: string;
  /** The amount of the invoice still to be paid. */
  openUsd: string;
}

/** @throws AppError `invoice_not_found`, `amount_invalid`, `reason_missing`, `credit_note_too_high`, `credit_note_repeated` */
export async function creditInvoice(
  database: Database,
  { invoiceNumber, amountUsd, reason, isRepeated }: CreditOrder,
  { actor, now, settings }: { actor: Actor; now: Date; settings: Pick<InvoiceSettings, 'webUrl'> },
): Promise<IssuedCreditNote> {
  const { id: invoiceId, organizationId } = await findInvoiceByNumber(database, invoiceNumber);
  return inTenant(database, organizationId, async (tx) => {
    const scope = { tx, organizationId, actor, now };
    await lockBillingAccount(scope);
    const readOpen = async () => (await readOpenAmounts(scope, [invoiceId])).get(invoiceId) ?? ZERO_USD;
    const notes = await tx.invoice.findMany({
      where: { organizationId, correctsId: invoiceId },
      select: { number: true, totalUsd: true, reason: true },
    });
    const { subtotalUsd } = await tx.invoice.findUniqueOrThrow({ where: { id: invoiceId } });
    const left = usd(subtotalUsd.toFixed()).plus(sumUsd(notes.map(({ totalUsd }) => usd(totalUsd.toFixed()))));
    const asked = amountUsd ?? left.toFixed(2);
    const twin = notes.find(
      (note) => note.reason === reason.trim() && isAmount(asked, note.totalUsd.negated().toFixed(2)),
    );
    if (twin !== undefined && !isRepeated) {
      throw new AppError({
        kind: 'conflict',
        code: 'credit_note_repeated',
        message: `${twin.number} credits the same amount of ${invoiceNumber} for the same reason.`,
        remedy: 'Nothing was done. If another one is meant, add --again.',
      });
    }
    const openBefore = await readOpen();
    const note = await issueCreditNote(scope, { invoiceId, amountUsd: asked, reason }, settings);
    const openAfter = await readOpen();
    const reducedUsd = openBefore.minus(openAfter);
    return {
      number: note.number,
      amountUsd: usd(asked).toFixed(2),
      reducedUsd: reducedUsd.toFixed(2),
      creditedUsd: usd(asked).minus(reducedUsd).toFixed(2),
      openUsd: openAfter.toFixed(2),
    };
  });
}

/** Whether a text, which may not be an amount at all, equals that amount. */
function isAmount(text: string, amountUsd: string): boolean {
  return /^\d{1,12}(\.\d{1,2})?$/.test(text) && usd(text).eq(usd(amountUsd));
}
