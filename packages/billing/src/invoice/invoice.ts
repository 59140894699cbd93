// The public view of invoices. Money is text with two decimals (exact in JSON), bytes are bigint.
import type { Collection, LineProduct, Party } from './invoice-document.ts';

export interface InvoiceLineView {
  /** Starts at 1; identifies the line in `getLineOrigin`. */
  position: number;
  product: LineProduct;
  clusterId: string | null;
  clusterName: string | null;
  mode: 'dev' | 'standard' | 'low-latency' | null;
  tier: number | null;
  description: string;
  /** Exact: bytes if the unit is GiB, otherwise minutes. Null for credits and corrections. */
  quantity: bigint | null;
  unit: 'GiB' | 'minute' | null;
  /** With every digit of the price book, e.g. 0.0023. */
  unitPriceUsd: string | null;
  amountUsd: string;
  priceBookId: string | null;
  firstHour: Date | null;
  lastHour: Date | null;
}

/** The current bill of a month. It has no row: it is computed from the ledger at every call. */
export interface DraftInvoice {
  /** The UTC month, such as `2026-11`. */
  month: string;
  periodStart: Date;
  /** End of the period, exclusive. */
  periodEnd: Date;
  lines: InvoiceLineView[];
  /** Lines omitted because they round to $0.00. */
  linesBelowOneCent: number;
  subtotalUsd: string;
  /** Zero or negative: the amount that credits will cover. */
  creditUsd: string;
  totalUsd: string;
  /** The credit balance before this draft. */
  creditBalanceUsd: string;
  /** The figures include everything acknowledged before this time. */
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
  /** End of the period, exclusive. */
  periodEnd: Date;
  status: 'open' | 'paid' | 'uncollectible' | 'issued';
  collection: Collection;
  subtotalUsd: string;
  creditUsd: string;
  totalUsd: string;
  amountPaidUsd: string;
  /** The amount still to be paid, after payments and credit notes. Zero on credit notes. */
  amountDueUsd: string;
  finalizedAt: Date;
  dueAt: Date;
  paidAt: Date | null;
  hostedInvoiceUrl: string | null;
}

export interface InvoiceDetail extends InvoiceSummary {
  /** The money returned to the customer. */
  refundedUsd: string;
  /** The amount that banks hold back, or have taken permanently, because of a cardholder's dispute. */
  disputedUsd: string;
  isDisputeLost: boolean;
  lines: InvoiceLineView[];
  billedTo: Party;
  billedBy: Party;
  transferDetails: string[];
  /** The reason for a credit note. */
  reason: string | null;
  /** SHA-256 over its content, in hex; null on invoices older than seals. */
  seal: string | null;
  /** The invoice that a credit note corrects. */
  corrects: { id: string; number: string } | null;
  creditNotes: InvoiceSummary[];
}

export interface InvoicePage {
  /** The invoices, newest first. */
  invoices: InvoiceSummary[];
  /** Pass it back for the next page; null at the end. */
  nextCursor: string | null;
}

/** The origin of a line: the hours that add up to it, and the section of the journal behind each hour. */
export interface LineOrigin {
  line: InvoiceLineView;
  hours: LineOriginHour[];
  /** Usage in the hours beyond the line: it was folded after the invoice became final. Zero otherwise. */
  lateQuantity: bigint;
}

export interface LineOriginHour {
  hour: Date;
  /** This hour's part of the line: bytes or minutes. */
  quantity: bigint;
  /** Unrounded, up to nine decimals: lines are rounded, hours are not. */
  amountUsd: string;
  /** The first and last journal entry of the cluster that added to this hour. */
  firstSeq: bigint;
  lastSeq: bigint;
}

export type ExportFormat = 'pdf' | 'csv' | 'json';

/** A file for download. */
export interface InvoiceFile {
  /** The name, such as PS-2026-000042.pdf */
  fileName: string;
  contentType: string;
  bytes: Uint8Array;
}

/** Cost by cluster and UTC day. Unrounded: the bill rounds lines, not days. */
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
  /** A description of the method for people. */
  method: string;
}
