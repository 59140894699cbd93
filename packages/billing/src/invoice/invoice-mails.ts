// The text of the mails about invoices.
import { formatUsdCents, usd } from '@penstock/pricing';
import type { MailMessage } from '@penstock/tenancy';
import { formatUtcDate } from '@penstock/units';
import { monthName } from './wording.ts';

export interface InvoiceFacts {
  number: string;
  month: string;
  totalUsd: string;
  creditUsd: string;
  collection: 'card' | 'transfer';
  dueAt: Date;
  transferDetails: readonly string[];
  /** The invoice's page; null if this program does not know the web app's URL. */
  link: string | null;
}

function payment({ number, totalUsd, creditUsd, collection, dueAt, transferDetails }: InvoiceFacts): string {
  if (usd(totalUsd).isZero()) {
    return usd(creditUsd).isZero() ? 'No payment is due.' : 'Your credits cover it. No payment is due.';
  }
  if (collection === 'card') {
    return 'We’ll charge your payment method. You don’t need to do anything.';
  }
  const where = transferDetails.length === 0 ? '' : `\n\n${transferDetails.join('\n')}`;
  return `Please pay it by bank transfer by ${formatUtcDate(dueAt.getTime())}. Use ${number} as the reference.${where}`;
}

export function invoiceMail(to: string, facts: InvoiceFacts): MailMessage {
  const total = formatUsdCents(usd(facts.totalUsd));
  const link = facts.link === null ? '' : `\n\nSee each line and the hours it is based on:\n\n${facts.link}`;
  return {
    to,
    subject: `Your Penstock invoice ${facts.number} for ${monthName(facts.month)}: ${total}`,
    text: `Invoice ${facts.number} for ${monthName(facts.month)} (UTC) is ${total}. ${payment(facts)}${link}\n`,
    link: facts.link,
  };
}

export function creditNoteMail(
  to: string,
  facts: { number: string; invoiceNumber: string; amountUsd: string; reason: string; link: string | null },
): MailMessage {
  const amount = formatUsdCents(usd(facts.amountUsd));
  const link = facts.link === null ? '' : `\n\n${facts.link}`;
  return {
    to,
    subject: `Credit note ${facts.number}: ${amount} for invoice ${facts.invoiceNumber}`,
    text: `We credited ${amount} of invoice ${facts.invoiceNumber}. Reason: ${facts.reason}${link}\n`,
    link: facts.link,
  };
}
