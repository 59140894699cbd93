// Verifies Stripe's webhooks: the signature, and that they are recent. An event only says which object to read. Its
// data may be outdated, so only the object's id is used.
import { AppError } from '@penstock/platform';
import Stripe from 'stripe';
import { z } from 'zod';

/** The library's own recommendation. Older webhooks are refused as replays. */
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
  /** The whole event, for storing. */
  payload: Record<string, unknown>;
}

/** The object that an event refers to. */
export type StripeSubject =
  | { kind: 'invoice'; stripeInvoiceId: string }
  | { kind: 'setup'; sessionId: string }
  | { kind: 'customer'; stripeCustomerId: string }
  /** The charge's refunds and disputes. */
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

/** The object that a stored event refers to; undefined for an event that does not concern us. */
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
