// What an invoice says below its lines.
import { formatUsdCents } from '@penstock/pricing';
import { formatUtcDate } from '@penstock/units';
import type { InvoiceDocument } from './invoice-document.ts';

/** How it is paid, line by line. */
export function paymentNotes(document: InvoiceDocument): string[] {
  const { kind, collection, dueAt, number, transferDetails, totalUsd, creditUsd, paidAt, status } = document;
  if (kind === 'draft') return ['This is a draft: it changes with every hour of usage, and nothing is to be paid yet.'];
  if (kind === 'credit_note')
    return [
      'What was still open of the invoice is reduced by this amount; what had been paid comes back as credits, which the next invoices use.',
    ];
  if (totalUsd.isZero())
    return [creditUsd.isZero() ? 'There is nothing to pay.' : 'Paid by credits: there is nothing to pay.'];
  if (status === 'paid' && paidAt !== null) return [`Paid on ${formatUtcDate(paidAt.getTime())}. Thank you.`];
  if (status === 'uncollectible')
    return ['The payment was taken back in a dispute. Nothing is collected for this invoice again.'];
  if (collection === 'card') return ['Collected automatically from your payment method. You need not do anything.'];
  const due = dueAt === null ? '' : ` by ${formatUtcDate(dueAt.getTime())}`;
  return [
    `Please transfer ${formatUsdCents(document.openUsd)}${due}, quoting ${number ?? ''}.`,
    ...(transferDetails.length > 0
      ? transferDetails
      : [`Ask ${document.seller.email ?? document.seller.name} for our bank details.`]),
  ];
}

/** By what a later change can be told. */
export function sealNotes({ seal }: InvoiceDocument): string[] {
  if (seal === null) return [];
  return [
    seal,
    'SHA-256 over all that is said here but for payments, and over the hash chains of the logs that it was metered from. ' +
      'We can recompute both: ask us whether either was changed since.',
  ];
}

/** How the figures came about. */
export function usageNotes(document: InvoiceDocument): string[] {
  if (document.kind === 'credit_note') return [];
  return [
    'Writes are metered in uncompressed GiB (2^30 bytes) that were acknowledged. Their tiers pool over all clusters of the organization: each ' +
      'byte falls into the tier that the running total of the month had reached.',
    'Cluster minutes are minutes in which at least one agent of the cluster was alive. All times are UTC. Each line is rounded once, to the cent; lines ' +
      'below one cent are not shown.',
  ];
}
