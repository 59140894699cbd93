// What people are told while an invoice stays unpaid. Calm, with the facts, what happens next and what does not.
import { formatUtcDate } from '@penstock/units';
import { dayAfter, mailDays, restrictedDay } from './dunning-rules.ts';

export interface DunningFacts {
  organizationName: string;
  invoiceNumber: string;
  /** e.g. `1,234.50`. */
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

/** @param step from 0, as in `mailDays` */
export function dunningMail(facts: DunningFacts, step: number): { subject: string; text: string } {
  const { organizationName, invoiceNumber, openUsd, collection, failingSince, reason, link } = facts;
  const isLast = step === mailDays.length - 1;
  const amount = `US$${openUsd}`;
  const happened =
    collection === 'card'
      ? `we could not charge ${amount} for invoice ${invoiceNumber} of ${organizationName}.${reason === null ? '' : ` The answer was: ${reason}`}`
      : `we have not received ${amount} for invoice ${invoiceNumber} of ${organizationName}, which was due on ${date(failingSince)}.`;
  const nextDay = mailDays[step + 1];
  const next =
    collection === 'card' && nextDay !== undefined
      ? `We will try again on ${date(dayAfter(failingSince, nextDay))}. You need not wait: bring another card, or pay the invoice, under Billing.`
      : 'You can pay the invoice, or change how you pay, under Billing.';
  const consequence = `If it is still open on ${date(dayAfter(failingSince, restrictedDay))}, no new clusters can be made until it is paid.`;
  const subject =
    step === 0
      ? collection === 'card'
        ? `We could not charge your card for ${invoiceNumber}`
        : `Invoice ${invoiceNumber} is overdue`
      : `${isLast ? 'Last reminder' : 'Reminder'}: invoice ${invoiceNumber} is still open`;
  const paragraphs = [
    'Hello,',
    happened,
    next,
    `${consequence} Your running clusters and their data are not affected, now or then.`,
    ...(link === null ? [] : [`Billing: ${link}`]),
  ];
  return { subject, text: paragraphs.join('\n\n') };
}
