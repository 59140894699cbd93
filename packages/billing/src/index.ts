// The books: what may be booked, in double entry.
export {
  assertBalanced,
  type Booking,
  type BookingKind,
  creditGrant,
  creditNoteIssued,
  disputeLost,
  disputeOpened,
  disputeWon,
  invoiceIssued,
  type LedgerAccount,
  type Posting,
  paymentReceived,
  refundFailed,
  refundMade,
} from './books/booking.ts';
// Invoices: what they say, and in which forms.
export { type ClosedMonth, type Correction, correctionsOf } from './invoice/corrections-of.ts';
export { type Draft, type DraftInput, draftOf } from './invoice/draft-of.ts';
export type { Collection, DocumentLine, InvoiceDocument, LineProduct, Party } from './invoice/invoice-document.ts';
export { renderInvoicePdf } from './invoice/render-pdf.ts';
export { renderInvoiceCsv, renderInvoiceJson } from './invoice/render-text.ts';
export { monthName } from './invoice/wording.ts';
// Metering: from the journal to the usage ledger.
export { type ClustersToFold, clustersToFold } from './metering/clusters-to-fold.ts';
export {
  type FoldResult,
  foldJournal,
  type JournalCells,
  JournalChanged,
  JournalGap,
} from './metering/fold-journal.ts';
export { chainHash, genesisHash } from './metering/meter-block.ts';
// Rating: from the hours of a month to the lines of its bill.
export { type BillingMonth, billingMonth, billingMonthAt, monthsLater } from './rating/billing-month.ts';
export { type ClusterDay, costByDay } from './rating/cost-by-day.ts';
export { type ExpectedUsage, expectedUsage, type ForecastInput } from './rating/forecast.ts';
export {
  exactAmountOf,
  gibOf,
  isSameLine,
  type LineKey,
  linesOf,
  type RatedLine,
  type RatedPart,
  type RatedProduct,
  type RatingInput,
  rateHours,
  rateMonth,
} from './rating/rate-month.ts';
export type { UsageHourReading } from './rating/usage-hour-reading.ts';
