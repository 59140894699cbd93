// Invoices as the rest of the product sees them. Money is text with two decimals (exact; it travels as JSON), bytes are bigint.
import type { Collection, LineProduct, Party } from './invoice-document.ts';

export interface InvoiceLineView {
  /** From 1; names the line in `getLineOrigin`. */
  position: number;
  product: LineProduct;
  clusterId: string | null;
  clusterName: string | null;
  mode: 'dev' | 'standard' | 'low-latency' | null;
  tier: number | null;
  description: string;
  /** Exact: bytes when the unit is GiB, else minutes. Null for credits and corrections. */
  quantity: bigint | null;
  unit: 'GiB' | 'minute' | null;
  /** Every digit that the price book has, e.g. 0.0023. */
  unitPriceUsd: string | null;
  amountUsd: string;
  priceBookId: string | null;
  firstHour: Date | null;
  lastHour: Date | null;
}

/** The bill of a month as it stands now. Has no row: it is computed from the ledger at every call. */
export interface DraftInvoice {
  /** `2026-11`, UTC. */
  month: string;
  periodStart: Date;
  /** Exclusive. */
  periodEnd: Date;
  lines: InvoiceLineView[];
  /** Lines that are not shown because they round to $0.00. */
  linesBelowOneCent: number;
  subtotalUsd: string;
  /** Zero or negative: what credits will cover. */
  creditUsd: string;
  totalUsd: string;
  /** Credits before this draft. */
  creditBalanceUsd: string;
  /** All that was acknowledged up to here is in the figures. */
  countedUntil: Date;
  /** When it becomes final. */
  finalizesAt: Date;
}

export interface InvoiceSummary {
  id: string;
  /** PS-2026-000042; credit notes CN-2026-000007. */
  number: string;
  kind: 'invoice' | 'credit_note';
  month: string;
  periodStart: Date;
  /** Exclusive. */
  periodEnd: Date;
  status: 'open' | 'paid' | 'uncollectible' | 'issued';
  collection: Collection;
  subtotalUsd: string;
  creditUsd: string;
  totalUsd: string;
  amountPaidUsd: string;
  /** What is still to be paid, after payments and credit notes. Zero on credit notes. */
  amountDueUsd: string;
  finalizedAt: Date;
  dueAt: Date;
  paidAt: Date | null;
  hostedInvoiceUrl: string | null;
}

export interface InvoiceDetail extends InvoiceSummary {
  /** What went back to the customer, in money. */
  refundedUsd: string;
  /** What a bank holds back, or has taken for good, at its cardholder's word. */
  disputedUsd: string;
  isDisputeLost: boolean;
  lines: InvoiceLineView[];
  billedTo: Party;
  billedBy: Party;
  transferDetails: string[];
  /** Of a credit note. */
  reason: string | null;
  /** SHA-256 over all that it says, in hex; null on invoices from before there were seals. */
  seal: string | null;
  /** The invoice that a credit note corrects. */
  corrects: { id: string; number: string } | null;
  creditNotes: InvoiceSummary[];
}

export interface InvoicePage {
  /** Newest first. */
  invoices: InvoiceSummary[];
  /** Pass it back for the next page; null at the end. */
  nextCursor: string | null;
}

/** Where a line comes from: the hours that add up to it, and the stretch of the journal behind each hour. */
export interface LineOrigin {
  line: InvoiceLineView;
  hours: LineOriginHour[];
  /** What the hours hold beyond the line: usage that was folded after the invoice became final. Zero otherwise. */
  lateQuantity: bigint;
}

export interface LineOriginHour {
  hour: Date;
  /** What of this hour is in the line: bytes or minutes. */
  quantity: bigint;
  /** Unrounded, up to nine decimals: hours are not rounded, lines are. */
  amountUsd: string;
  /** The first and last journal entry of the cluster that added to this hour. */
  firstSeq: bigint;
  lastSeq: bigint;
}

export type ExportFormat = 'pdf' | 'csv' | 'json';

/** A file for download. */
export interface InvoiceFile {
  /** e.g. PS-2026-000042.pdf */
  fileName: string;
  contentType: string;
  bytes: Uint8Array;
}

/** Cost by cluster and UTC day. Unrounded: the bill rounds its lines, not its days. */
export interface MonthByDay {
  month: string;
  /** Every day of the month up to today, oldest first. */
  days: string[];
  clusters: {
    clusterId: string;
    clusterName: string;
    /** One amount per day, up to nine decimals. */
    costUsd: string[];
    writtenBytes: bigint[];
  }[];
  totalUsd: string;
  countedUntil: Date;
}

export interface Forecast {
  month: string;
  /** Cost of the whole month, before credits. */
  subtotalUsd: string;
  creditUsd: string;
  totalUsd: string;
  /** Cost so far, before credits. */
  soFarUsd: string;
  /** How the figure was reached, in words for people. */
  method: string;
}
