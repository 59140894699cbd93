// An invoice, a credit note or a draft, in the form that all renderers (page, PDF, CSV, JSON) take. Money is exact
// decimals.
import type { ClusterKind, Decimal, Usd } from '@penstock/pricing';

export type LineProduct = 'writes' | 'cluster_minutes' | 'credit' | 'correction' | 'held';

export interface DocumentLine {
  /** The position, starting at 1. */
  position: number;
  product: LineProduct;
  clusterId: string | null;
  /** The name when the line was created. */
  clusterName: string | null;
  mode: ClusterKind | null;
  tier: number | null;
  description: string;
  /** Exact: bytes if the unit is GiB, otherwise minutes. Null for credits and corrections. */
  quantity: bigint | null;
  unit: 'GiB' | 'minute' | null;
  unitPriceUsd: Decimal | null;
  amountUsd: Usd;
  priceBookId: string | null;
  /** The first and last hour (UTC) of the line. */
  firstHour: Date | null;
  lastHour: Date | null;
}

/** A party to an invoice: seller or buyer. */
export interface Party {
  name: string;
  /** The address, line by line. */
  address: string[];
  email: string | null;
  taxId: string | null;
}

export type Collection = 'card' | 'transfer';

export interface InvoiceDocument {
  kind: 'draft' | 'invoice' | 'credit_note';
  id: string | null;
  /** Null on a draft. */
  number: string | null;
  /** The number of the invoice that a credit note corrects. */
  correctsNumber: string | null;
  reason: string | null;
  /** SHA-256 over the invoice's content when it was issued, in hex; null on drafts and on invoices older than seals. */
  seal: string | null;
  seller: Party;
  buyer: Party;
  organizationId: string;
  periodStart: Date;
  /** End of the period, exclusive. */
  periodEnd: Date;
  currency: 'USD';
  /** Null on a draft. */
  issuedAt: Date | null;
  dueAt: Date | null;
  paidAt: Date | null;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'issued';
  collection: Collection;
  /** The bank transfer details, line by line; empty if a card is charged. */
  transferDetails: string[];
  lines: DocumentLine[];
  /** The sum of the lines before credits. */
  subtotalUsd: Usd;
  /** The credit; zero or negative. */
  creditUsd: Usd;
  totalUsd: Usd;
  /** Total of payments received. */
  paidUsd: Usd;
  /** The amount returned to the customer. */
  refundedUsd: Usd;
  /** The amount that banks hold back, or have taken permanently, because of a cardholder's dispute. */
  disputedUsd: Usd;
  /** The amount still to be paid, after payments and credit notes; the total of a draft, zero on credit notes. */
  openUsd: Usd;
}
