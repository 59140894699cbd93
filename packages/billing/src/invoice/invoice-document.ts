// An invoice, a credit note or a draft as whatever shows it (page, PDF, CSV, JSON) takes it. Money as exact decimals.
import type { ClusterKind, Decimal, Usd } from '@penstock/pricing';

export type LineProduct = 'writes' | 'cluster_minutes' | 'credit' | 'correction';

export interface DocumentLine {
  /** From 1. */
  position: number;
  product: LineProduct;
  clusterId: string | null;
  /** As it was when the line was made. */
  clusterName: string | null;
  mode: ClusterKind | null;
  tier: number | null;
  description: string;
  /** Exact: bytes when the unit is GiB, else minutes. Null for credits and corrections. */
  quantity: bigint | null;
  unit: 'GiB' | 'minute' | null;
  unitPriceUsd: Decimal | null;
  amountUsd: Usd;
  priceBookId: string | null;
  /** The hours (UTC) of which it is made. */
  firstHour: Date | null;
  lastHour: Date | null;
}

/** Somebody whom an invoice names: seller or buyer. */
export interface Party {
  name: string;
  /** Line by line. */
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
  /** SHA-256 over all that it said when it was issued, in hex; null on a draft, and on invoices from before there were seals. */
  seal: string | null;
  seller: Party;
  buyer: Party;
  organizationId: string;
  periodStart: Date;
  /** Exclusive. */
  periodEnd: Date;
  currency: 'USD';
  /** Null on a draft. */
  issuedAt: Date | null;
  dueAt: Date | null;
  paidAt: Date | null;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'issued';
  collection: Collection;
  /** How to transfer the money, line by line; empty when it is collected from a card. */
  transferDetails: string[];
  lines: DocumentLine[];
  /** Of the lines without credits. */
  subtotalUsd: Usd;
  /** Zero or negative. */
  creditUsd: Usd;
  totalUsd: Usd;
  /** What was paid towards it. */
  paidUsd: Usd;
  /** What went back to the customer. */
  refundedUsd: Usd;
  /** What a bank holds back, or has taken for good, at its cardholder's word. */
  disputedUsd: Usd;
  /** What is still to be paid, after payments and credit notes; the total of a draft, zero on credit notes. */
  openUsd: Usd;
}
