// The notes below an invoice's lines.
import { formatUsdCents } from '@penstock/pricing';
import { formatUtcDate } from '@penstock/units';
import type { InvoiceDocument } from './invoice-document.ts';

/** How to pay it, line by line. */
export function paymentNotes(document: InvoiceDocument): string[] {
  const { kind, collection, dueAt, number, transferDetails, totalUsd, creditUsd, paidAt, status } = document;
  if (kind === 'draft') {
    return ['This is a draft. It changes as usage is counted. No payment is due yet.'];
  }
  if (kind === 'credit_note') {
    return [
      'This amount reduces the open balance of the invoice. Any part that was already paid is returned as credits for future invoices.',
    ];
  }
  if (totalUsd.isZero()) {
    return [creditUsd.isZero() ? 'No payment is due.' : 'Paid with credits. No payment is due.'];
  }
  if (status === 'paid' && paidAt !== null) {
    return [`Paid on ${formatUtcDate(paidAt.getTime())}. Thank you.`];
  }
  if (status === 'uncollectible') {
    return ['The payment was reversed in a dispute. We won’t collect this invoice again.'];
  }
  if (collection === 'card') {
    return ['Charged automatically to your payment method. You don’t need to do anything.'];
  }
  const due = dueAt === null ? '' : ` by ${formatUtcDate(dueAt.getTime())}`;
  return [
    `Please transfer ${formatUsdCents(document.openUsd)}${due}.${number === null ? '' : ` Use ${number} as the reference.`}`,
    ...(transferDetails.length > 0
      ? transferDetails
      : [`Contact ${document.seller.email ?? document.seller.name} for our bank details.`]),
  ];
}

/** The seal, which reveals later changes. */
export function sealNotes({ seal }: InvoiceDocument): string[] {
  if (seal === null) {
    return [];
  }
  return [
    seal,
    'SHA-256 of everything in this document except payments, and of the hash chains of the journals that it was metered from. ' +
      'Contact us to have both recomputed and compared.',
  ];
}

/** How the figures were calculated. */
export function usageNotes(document: InvoiceDocument): string[] {
  if (document.kind === 'credit_note') {
    return [];
  }
  return [
    'Writes are metered in GiB (2^30 bytes) of acknowledged data before compression. Tiers apply to the total of all clusters in the organization, in the order in which data was written.',
    'A cluster-minute is a minute in which at least one agent of the cluster was alive. All times are in UTC. Each line is rounded once, to the cent. Lines below one cent are not shown.',
  ];
}
