// The wording of the mails about invoices.
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
  /** Where the invoice can be seen; null when this program does not know its own address. */
  link: string | null;
}

function payment({ number, totalUsd, creditUsd, collection, dueAt, transferDetails }: InvoiceFacts): string {
  if (usd(totalUsd).isZero()) {
    return usd(creditUsd).isZero() ? 'There is nothing to pay.' : 'Your credits cover it: there is nothing to pay.';
  }
  if (collection === 'card') return 'It is collected from your payment method; you need not do anything.';
  const where = transferDetails.length === 0 ? '' : `\n\n${transferDetails.join('\n')}`;
  return `Please transfer it by ${formatUtcDate(dueAt.getTime())}, quoting ${number}.${where}`;
}

export function invoiceMail(to: string, facts: InvoiceFacts): MailMessage {
  const total = formatUsdCents(usd(facts.totalUsd));
  const link =
    facts.link === null ? '' : `\n\nEvery line of it, down to the hours that it comes from:\n\n${facts.link}`;
  return {
    to,
    subject: `Your Penstock invoice ${facts.number} for ${monthName(facts.month)}: ${total}`,
    text: `Invoice ${facts.number} for ${monthName(facts.month)} (UTC) comes to ${total}. ${payment(facts)}${link}\n`,
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
    subject: `Credit note ${facts.number} over ${amount} for your invoice ${facts.invoiceNumber}`,
    text: `We have credited ${amount} of invoice ${facts.invoiceNumber}. Reason: ${facts.reason}${link}\n`,
    link: facts.link,
  };
}
