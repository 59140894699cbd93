// Metering, rating, the ledger, invoices, payments, budgets and usage.

export { billingAudit } from './audit-actions.ts';
export { type BudgetCheck, type BudgetChecks, checkBudgets } from './budget/check-budgets.ts';
export { type Budget, type BudgetAlertRow, getBudget } from './budget/get-budget.ts';
export { type BudgetChange, updateBudget } from './budget/update-budget.ts';
export { queueInvoiceCollection } from './collection/queue-invoice-collection.ts';
export { EVENTS_PAYLOAD, PAYMENT_WORK_CHANNEL } from './collection/queue-stripe-call.ts';
export type { CreditEntry } from './credit/credit.ts';
export {
  claimCreditsForDomain,
  claimCreditsForPerson,
  getSignUpCredits,
} from './credit/grant-sign-up-credits.ts';
export { creditBalance, listCreditEntries } from './credit/list-credit-entries.ts';
export { readOpenAmounts } from './credit/record-booking.ts';
export { type HeldHour, holdUnusualUsage, SEARCHED_MS } from './hold/hold-unusual-usage.ts';
export { type HoldReview, type HoldRow, listHolds, reviewHolds } from './hold/review-hold.ts';
export { bookPayment, type Payment } from './invoice/book-payment.ts';
export { readUnbilledMonths } from './invoice/closed-months.ts';
// Invoices: their content and their formats.
export { type ClosedMonth, type Correction, correctionsOf } from './invoice/corrections-of.ts';
export { type CreditOrder, creditInvoice, type IssuedCreditNote } from './invoice/credit-invoice.ts';
export { type Draft, type DraftInput, draftOf } from './invoice/draft-of.ts';
export { type ExportInput, exportInvoice } from './invoice/export-invoice.ts';
export { type FinalizeInput, type FinalizeOutcome, finalizeMonth } from './invoice/finalize-month.ts';
export { getDraftInvoice } from './invoice/get-draft-invoice.ts';
export { getForecast } from './invoice/get-forecast.ts';
export { getInvoice, listInvoiceLines } from './invoice/get-invoice.ts';
export { getLineOrigin, type LineOriginInput } from './invoice/get-line-origin.ts';
export { getMonthByDay } from './invoice/get-month-by-day.ts';
export type {
  DraftInvoice,
  ExportFormat,
  Forecast,
  InvoiceDetail,
  InvoiceFile,
  InvoiceLineView,
  InvoicePage,
  InvoiceSummary,
  LineOrigin,
  LineOriginHour,
  MonthByDay,
} from './invoice/invoice.ts';
export type { Collection, DocumentLine, InvoiceDocument, LineProduct, Party } from './invoice/invoice-document.ts';
export { type InvoiceSettings, invoiceVariables, readInvoiceSettings } from './invoice/invoice-settings.ts';
export { type CreditNoteInput, issueCreditNote } from './invoice/issue-credit-note.ts';
export { listInvoices } from './invoice/list-invoices.ts';
export { monthsToFinalize } from './invoice/months-to-finalize.ts';
export { renderInvoicePdf } from './invoice/render-pdf.ts';
export { renderInvoiceCsv, renderInvoiceJson } from './invoice/render-text.ts';
export { monthName } from './invoice/wording.ts';
// The double-entry ledger: which bookings exist.
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
} from './ledger/booking.ts';
// Metering: from the journal to the usage ledger.
export { type ClustersToFold, clustersToFold } from './metering/clusters-to-fold.ts';
export { type FoldedClusters, foldClusters } from './metering/fold-clusters.ts';
export {
  type FoldResult,
  foldJournal,
  type JournalCells,
  JournalChanged,
  JournalGap,
} from './metering/fold-journal.ts';
export { chainHash, genesisHash } from './metering/meter-block.ts';
export { assertMayCreateCluster } from './payment/assert-may-create-cluster.ts';
export { completePaymentSetup } from './payment/complete-payment-setup.ts';
export { mailDays, PAST_DUE_DAY, RESTRICTED_DAY, type Standing } from './payment/dunning-rules.ts';
export { type BillingAccount, type FailedPayment, getBillingAccount } from './payment/get-billing-account.ts';
export { handleStripeEvents } from './payment/handle-stripe-events.ts';
export { openPaymentPortal } from './payment/open-payment-portal.ts';
export { payInvoiceByCard } from './payment/pay-invoice-by-card.ts';
export type { PaymentContext } from './payment/payment-context.ts';
export type { Caller, PaymentBackend } from './payment/payment-session.ts';
// Use-cases: budgets, credits, invoices, payments and usage.
export { receiveStripeEvent } from './payment/receive-stripe-event.ts';
export { type Reconciliation, reconcilePayments } from './payment/reconcile-payments.ts';
export { type ReceivedTransfer, type RecordedTransfer, recordTransfer } from './payment/record-transfer.ts';
export { type DunningOptions, runDunning } from './payment/run-dunning.ts';
export { listOrganizationsWithCalls, sendStripeCalls } from './payment/send-stripe-calls.ts';
export { startPaymentSetup } from './payment/start-payment-setup.ts';
export { type Outbox, readOutbox, retryFailedCalls, type TroubledCall } from './payment/troubled-calls.ts';
export { updateBillingDetails } from './payment/update-billing-details.ts';
// Rating: from a month's hours to the lines of its bill.
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
export { CannotRecompute } from './recompute/cannot-recompute.ts';
export { type RecomputedBill, type RecomputeInput, recomputeBill } from './recompute/recompute-bill.ts';
export { reportJson, reportText } from './recompute/report-text.ts';
export { getMonthToDate, type MonthToDate } from './usage/get-month-to-date.ts';
