// The mails about an unpaid invoice. Calm and factual: what happens next, and what does not.
import { formatUtcDate } from '@penstock/units';
import { dayAfter, mailDays, RESTRICTED_DAY } from './dunning-rules.ts';

export interface DunningFacts {
  organizationName: string;
  invoiceNumber: string;
  /** The amount, such as `1,234.50`. */
  openUsd: string;
  collection: 'card' | 'transfer';
  failingSince: Date;
  /** Why the card was not charged. */
  reason: string | null;
  link: string | null;
}

function date(at: Date): string {
  return formatUtcDate(at.getTime());
}

/** @param step starts at 0, as in `mailDays` */
export function dunningMail(facts: DunningFacts, step: number): { subject: string; text: string } {
  const { organizationName, invoiceNumber, openUsd, collection, failingSince, reason, link } = facts;
  const isLast = step === mailDays.length - 1;
  const amount = `US$${openUsd}`;
  const happened =
    collection === 'card'
      ? `We couldn’t charge ${amount} for invoice ${invoiceNumber} of ${organizationName}.${reason === null ? '' : ` Reason: ${reason}`}`
      : `We haven’t received ${amount} for invoice ${invoiceNumber} of ${organizationName}, which was due on ${date(failingSince)}.`;
  const nextDay = mailDays[step + 1];
  const next =
    collection === 'card' && nextDay !== undefined
      ? `We will try again on ${date(dayAfter(failingSince, nextDay))}. To pay sooner, add another card or pay the invoice under Billing.`
      : 'You can pay the invoice or change your payment method under Billing.';
  const consequence = `If the invoice is still unpaid on ${date(dayAfter(failingSince, RESTRICTED_DAY))}, you can’t create new clusters until it is paid.`;
  const subject =
    step === 0
      ? collection === 'card'
        ? `Payment failed for invoice ${invoiceNumber}`
        : `Invoice ${invoiceNumber} is overdue`
      : `${isLast ? 'Last reminder' : 'Reminder'}: invoice ${invoiceNumber} is unpaid`;
  const paragraphs = [
    'Hello,',
    happened,
    next,
    `${consequence} Running clusters and their data are not affected.`,
    ...(link === null ? [] : [`Billing: ${link}`]),
  ];
  return { subject, text: paragraphs.join('\n\n') };
}
