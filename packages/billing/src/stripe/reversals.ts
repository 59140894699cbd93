// Refunds and disputes of a charge: what Stripe shows, and what of it is still to be booked.
import type Stripe from 'stripe';

export interface RefundReading {
  id: string;
  stripeChargeId: string;
  amountCents: number;
  /** returned: it was on its way to the customer, and came back to us. */
  state: 'under way' | 'made' | 'returned';
}

export interface DisputeReading {
  id: string;
  stripeChargeId: string;
  amountCents: number;
  /** none: an inquiry, which moves no money. */
  state: 'none' | 'open' | 'won' | 'lost';
}

export interface ReversalsReading {
  refunds: RefundReading[];
  disputes: DisputeReading[];
}

const PAGE_SIZE = 100;

function idOf(reference: string | { id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}

const refundStates: Readonly<Record<string, RefundReading['state']>> = {
  succeeded: 'made',
  failed: 'returned',
  canceled: 'returned',
};

const disputeStates: Readonly<Record<string, DisputeReading['state']>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
};

function toRefund({ id, amount, status, charge }: Stripe.Refund): RefundReading | undefined {
  const stripeChargeId = idOf(charge);
  if (stripeChargeId === undefined) {
    return undefined;
  }
  return { id, stripeChargeId, amountCents: amount, state: refundStates[status ?? ''] ?? 'under way' };
}

function toDispute({ id, amount, status, charge }: Stripe.Dispute): DisputeReading | undefined {
  const stripeChargeId = idOf(charge);
  if (stripeChargeId === undefined) {
    return undefined;
  }
  return { id, stripeChargeId, amountCents: amount, state: disputeStates[status] ?? 'none' };
}

/** The refunds and disputes of one charge, or of all charges since a time. */
export async function readReversals(
  client: Stripe,
  of: { stripeChargeId: string } | { sinceS: number },
): Promise<ReversalsReading> {
  const filter = 'sinceS' in of ? { created: { gte: of.sinceS } } : { charge: of.stripeChargeId };
  const result: ReversalsReading = { refunds: [], disputes: [] };
  for await (const item of client.refunds.list({ ...filter, limit: PAGE_SIZE })) {
    const refund = toRefund(item);
    if (refund !== undefined) {
      result.refunds.push(refund);
    }
  }
  for await (const item of client.disputes.list({ ...filter, limit: PAGE_SIZE })) {
    const dispute = toDispute(item);
    if (dispute !== undefined) {
      result.disputes.push(dispute);
    }
  }
  return result;
}

/** The invoice that a charge paid; undefined if it paid none. */
export async function readInvoiceOfCharge(client: Stripe, stripeChargeId: string): Promise<string | undefined> {
  const charge = await client.charges.retrieve(stripeChargeId);
  const intent = idOf(charge.payment_intent);
  if (intent === undefined) {
    return undefined;
  }
  const { data } = await client.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
    limit: 1,
  });
  return idOf(data[0]?.invoice);
}

type ReversalKind = 'refund' | 'refund_failed' | 'dispute' | 'dispute_won' | 'dispute_lost';

/** Something to be booked once. */
export type Reversal = {
  /** Its reference in the ledger. */
  reference: string;
  amountCents: number;
} & (
  | { kind: Exclude<ReversalKind, 'refund_failed'> }
  | {
      kind: 'refund_failed';
      /** The reference of the refund that came back. */
      refundReference: string;
    }
);

function referenceOf(kind: ReversalKind, id: string): string {
  return `${kind}:stripe:${id}`;
}

/** All references that these can have in the ledger. */
export function referencesOf({ refunds, disputes }: ReversalsReading): string[] {
  return [
    ...refunds.flatMap(({ id }) => (['refund', 'refund_failed'] as const).map((kind) => referenceOf(kind, id))),
    ...disputes.flatMap(({ id }) =>
      (['dispute', 'dispute_won', 'dispute_lost'] as const).map((kind) => referenceOf(kind, id)),
    ),
  ];
}

/**
 * The reversals that are still to be booked, in order. Only the current state counts, whichever events were received or
 * missed.
 */
export function dueReversals({ refunds, disputes }: ReversalsReading, booked: ReadonlySet<string>): Reversal[] {
  const all: Reversal[] = [];
  for (const { id, amountCents, state } of refunds) {
    if (state === 'made') {
      all.push({ kind: 'refund', reference: referenceOf('refund', id), amountCents });
    }
    // Only a booked refund can come back.
    const refundReference = referenceOf('refund', id);
    if (state === 'returned' && booked.has(refundReference)) {
      all.push({ kind: 'refund_failed', reference: referenceOf('refund_failed', id), refundReference, amountCents });
    }
  }
  for (const { id, amountCents, state } of disputes) {
    if (state === 'open' || state === 'lost') {
      all.push({ kind: 'dispute', reference: referenceOf('dispute', id), amountCents });
    }
    if (state === 'lost') {
      all.push({ kind: 'dispute_lost', reference: referenceOf('dispute_lost', id), amountCents });
    }
    if (state === 'won' && booked.has(referenceOf('dispute', id))) {
      all.push({ kind: 'dispute_won', reference: referenceOf('dispute_won', id), amountCents });
    }
  }
  return all.filter(({ reference }) => !booked.has(reference));
}
