// What Stripe tells us, believed only with its signature and while it is fresh. An event is taken as "look there": what it says
// of the object may be old by now, so only the object's name is read from it.
import { AppError } from '@penstock/platform';
import Stripe from 'stripe';
import { z } from 'zod';

/** What the library itself recommends; replays of older ones are refused. */
const TOLERANCE_S = 300;

const object = z.looseObject({
  id: z.string().optional(),
  object: z.string(),
  customer: z.unknown().optional(),
  charge: z.unknown().optional(),
});
const event = z.looseObject({
  id: z.string().regex(/^evt_\w+$/),
  type: z.string(),
  created: z.int(),
  data: z.looseObject({ object }),
});

export interface StripeNotice {
  id: string;
  type: string;
  createdAt: Date;
  /** The whole event, to be stored. */
  payload: Record<string, unknown>;
}

/** Where an event says to look. */
export type StripeSubject =
  | { kind: 'invoice'; stripeInvoiceId: string }
  | { kind: 'setup'; sessionId: string }
  | { kind: 'customer'; stripeCustomerId: string }
  /** Its refunds and disputes. */
  | { kind: 'charge'; stripeChargeId: string };

function refuse(code: string, message: string, cause: unknown): AppError {
  return new AppError({ kind: 'invalid-input', code, message, cause });
}

export function readWebhook(
  client: Stripe,
  secret: string,
  rawBody: string,
  signatureHeader: string | null,
  now: Date,
): StripeNotice {
  try {
    client.webhooks.constructEvent(rawBody, signatureHeader ?? '', secret, TOLERANCE_S, undefined, now.getTime());
    const payload: Record<string, unknown> = z.record(z.string(), z.unknown()).parse(JSON.parse(rawBody));
    const { id, type, created } = event.parse(payload);
    return { id, type, createdAt: new Date(created * 1000), payload };
  } catch (cause) {
    if (cause instanceof Stripe.errors.StripeSignatureVerificationError) {
      throw refuse('webhook_signature_invalid', 'The signature does not fit this body, or it is too old.', cause);
    }
    throw refuse('webhook_malformed', 'The body is signed but is no event of Stripe.', cause);
  }
}

/** Where a stored event says to look; undefined for one that is none of our business. */
export function subjectOf(payload: unknown): StripeSubject | undefined {
  const parsed = event.safeParse(payload);
  if (!parsed.success) {
    return undefined;
  }
  const { id, object: kind, customer, charge } = parsed.data.data.object;
  if (kind === 'invoice' && id !== undefined) {
    return { kind: 'invoice', stripeInvoiceId: id };
  }
  if (kind === 'checkout.session' && id !== undefined) {
    return { kind: 'setup', sessionId: id };
  }
  if (kind === 'customer' && id !== undefined) {
    return { kind: 'customer', stripeCustomerId: id };
  }
  if (kind === 'charge' && id !== undefined) {
    return { kind: 'charge', stripeChargeId: id };
  }
  if ((kind === 'dispute' || kind === 'refund') && typeof charge === 'string') {
    return { kind: 'charge', stripeChargeId: charge };
  }
  // Payment methods, setup intents and tax ids belong to a customer.
  return typeof customer === 'string' ? { kind: 'customer', stripeCustomerId: customer } : undefined;
}
