// All possible bookings of the double-entry ledger. Each builder returns postings that sum to zero; positive is a
// debit, negative a credit.
import { smaller, sumUsd, type Usd, ZERO_USD } from '@penstock/pricing';

export type LedgerAccount =
  /** The credits that we owe: a liability, so its balance is negative while credits remain. */
  | 'credit'
  /** The cost of granted credits. */
  | 'credit_expense'
  /** The amount that the customer owes us. */
  | 'receivable'
  | 'revenue'
  | 'cash'
  /** The amount that a bank withholds because of an undecided dispute. */
  | 'disputed'
  /** The cost of lost disputes. */
  | 'bad_debt';

export type BookingKind =
  | 'credit_grant'
  | 'invoice'
  | 'payment'
  | 'refund'
  /** A refund that did not arrive: the money came back to us. */
  | 'refund_failed'
  | 'credit_note'
  | 'dispute'
  | 'dispute_won'
  | 'write_off';

export interface Posting {
  account: LedgerAccount;
  amountUsd: Usd;
}

export interface Booking {
  kind: BookingKind;
  /** Identifies the event: it is booked once, however often it is reported. */
  reference: string;
  description: string;
  /** The invoice whose receivable it changes. */
  invoiceId: string | null;
  postings: Posting[];
}

type Facts = Pick<Booking, 'reference' | 'description'>;

function booking(kind: BookingKind, facts: Facts, invoiceId: string | null, postings: Posting[]): Booking {
  const booked = { kind, ...facts, invoiceId, postings: postings.filter(({ amountUsd }) => !amountUsd.isZero()) };
  assertBalanced(booked);
  return booked;
}

/** @throws RangeError if debits and credits differ, or an amount is not in whole cents */
export function assertBalanced({ reference, postings }: Pick<Booking, 'reference' | 'postings'>): void {
  if (!sumUsd(postings.map(({ amountUsd }) => amountUsd)).isZero()) {
    throw new RangeError(`the postings of ${reference} do not sum to zero`);
  }
  if (postings.some(({ amountUsd }) => amountUsd.decimalPlaces() > 2)) {
    throw new RangeError(`the postings of ${reference} are not in whole cents`);
  }
}

function assertPositive(amount: Usd, reference: string): void {
  if (amount.lte(0)) {
    throw new RangeError(`the amount of ${reference} is not positive: ${amount.toFixed()}`);
  }
}

/** Credits that we grant. */
export function creditGrant(facts: Facts & { amountUsd: Usd }): Booking {
  assertPositive(facts.amountUsd, facts.reference);
  const { amountUsd, ...rest } = facts;
  return booking('credit_grant', rest, null, [
    { account: 'credit_expense', amountUsd },
    { account: 'credit', amountUsd: amountUsd.negated() },
  ]);
}

/** @param bill.creditUsd the part of the subtotal that credits cover: zero or negative, as on the invoice */
export function invoiceIssued(
  facts: Facts & { invoiceId: string },
  bill: { subtotalUsd: Usd; creditUsd: Usd },
): Booking {
  const { invoiceId, ...rest } = facts;
  if (bill.creditUsd.gt(0) || bill.creditUsd.negated().gt(bill.subtotalUsd)) {
    throw new RangeError(`the credits of ${facts.reference} do not lie between zero and its subtotal`);
  }
  return booking('invoice', rest, invoiceId, [
    { account: 'receivable', amountUsd: bill.subtotalUsd.plus(bill.creditUsd) },
    { account: 'credit', amountUsd: bill.creditUsd.negated() },
    { account: 'revenue', amountUsd: bill.subtotalUsd.negated() },
  ]);
}

/** A payment for an invoice. Anything above its open amount becomes credits for the customer. */
export function paymentReceived(facts: Facts & { invoiceId: string; amountUsd: Usd; openUsd: Usd }): Booking {
  const { invoiceId, amountUsd, openUsd, ...rest } = facts;
  assertPositive(amountUsd, facts.reference);
  const settled = smaller(amountUsd, openUsd.gt(0) ? openUsd : ZERO_USD);
  return booking('payment', rest, invoiceId, [
    { account: 'cash', amountUsd },
    { account: 'receivable', amountUsd: settled.negated() },
    { account: 'credit', amountUsd: settled.minus(amountUsd) },
  ]);
}

/**
 * Cancels part of an invoice: first reduces the open amount, then returns paid amounts, in money or credits, as
 * credits.
 */
export function creditNoteIssued(facts: Facts & { invoiceId: string; amountUsd: Usd; openUsd: Usd }): Booking {
  const { invoiceId, amountUsd, openUsd, ...rest } = facts;
  assertPositive(amountUsd, facts.reference);
  const reduced = smaller(amountUsd, openUsd.gt(0) ? openUsd : ZERO_USD);
  return booking('credit_note', rest, invoiceId, [
    { account: 'revenue', amountUsd },
    { account: 'receivable', amountUsd: reduced.negated() },
    { account: 'credit', amountUsd: reduced.minus(amountUsd) },
  ]);
}

/**
 * A refund to the customer. First it uses up credits that came from this invoice (credit notes, overpayments), as far
 * as they are left; the rest lowers revenue.
 * @param facts.creditsUsd how much of those credits it can use, zero or more
 */
export function refundMade(facts: Facts & { invoiceId: string; amountUsd: Usd; creditsUsd: Usd }): Booking {
  const { invoiceId, amountUsd, creditsUsd, ...rest } = facts;
  assertPositive(amountUsd, facts.reference);
  const paidOut = smaller(amountUsd, creditsUsd.gt(0) ? creditsUsd : ZERO_USD);
  return booking('refund', rest, invoiceId, [
    { account: 'credit', amountUsd: paidOut },
    { account: 'revenue', amountUsd: amountUsd.minus(paidOut) },
    { account: 'cash', amountUsd: amountUsd.negated() },
  ]);
}

/** A failed refund. Credits that it had used are granted again. */
export function refundFailed(facts: Facts & { invoiceId: string; amountUsd: Usd; paidOutUsd: Usd }): Booking {
  const { invoiceId, amountUsd, paidOutUsd, ...rest } = facts;
  assertPositive(amountUsd, facts.reference);
  return booking('refund_failed', rest, invoiceId, [
    { account: 'cash', amountUsd },
    { account: 'credit', amountUsd: paidOutUsd.negated() },
    { account: 'revenue', amountUsd: paidOutUsd.minus(amountUsd) },
  ]);
}

type DisputeFacts = Facts & { invoiceId: string; amountUsd: Usd };

/** A bank takes money back because of a dispute. Nothing is decided yet, so neither revenue nor receivable changes. */
export function disputeOpened({ invoiceId, amountUsd, ...rest }: DisputeFacts): Booking {
  assertPositive(amountUsd, rest.reference);
  return booking('dispute', rest, invoiceId, [
    { account: 'disputed', amountUsd },
    { account: 'cash', amountUsd: amountUsd.negated() },
  ]);
}

/** The dispute is won: the money comes back to us. */
export function disputeWon({ invoiceId, amountUsd, ...rest }: DisputeFacts): Booking {
  assertPositive(amountUsd, rest.reference);
  return booking('dispute_won', rest, invoiceId, [
    { account: 'cash', amountUsd },
    { account: 'disputed', amountUsd: amountUsd.negated() },
  ]);
}

/** The dispute is lost: the cardholder keeps the money. */
export function disputeLost({ invoiceId, amountUsd, ...rest }: DisputeFacts): Booking {
  assertPositive(amountUsd, rest.reference);
  return booking('write_off', rest, invoiceId, [
    { account: 'bad_debt', amountUsd },
    { account: 'disputed', amountUsd: amountUsd.negated() },
  ]);
}
