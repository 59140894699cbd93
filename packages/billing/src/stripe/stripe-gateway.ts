// Stripe's interface for the rest of the product: calls by name, readings of the current state, and verified webhooks.
// The library's types do not leave this folder.
import Stripe from 'stripe';
import type { StripeOperation } from './call-parameters.ts';
import { type CallContext, type CallOutcome, findEffect, sendOperation } from './operations.ts';
import {
  type CustomerReading,
  type InvoiceReading,
  readCustomer,
  readInvoice,
  readSetup,
  type SetupReading,
} from './readings.ts';
import { type ReversalsReading, readInvoiceOfCharge, readReversals } from './reversals.ts';
import { withJudgement } from './stripe-failure.ts';
import type { StripeSettings } from './stripe-settings.ts';
import { readWebhook, type StripeNotice } from './webhook.ts';

/** Shorter than the time limit of a use-case's transaction. */
const REQUEST_TIMEOUT_MS = 10_000;

export interface StripeGateway {
  /**
   * Sends one call with its idempotency key.
   * @throws StripeUnavailable if it must be retried with the same key, StripeRefusal if a retry is useless
   */
  send(operation: StripeOperation, parameters: unknown, context: CallContext): Promise<CallOutcome>;
  /** Checks whether an earlier attempt of the call has had its effect. Undefined if none is visible. */
  findEffect(operation: StripeOperation, parameters: unknown, context: CallContext): Promise<CallOutcome | undefined>;
  readInvoice(stripeInvoiceId: string): Promise<InvoiceReading>;
  readCustomer(stripeCustomerId: string): Promise<CustomerReading>;
  /** The customer and the payment method of a Checkout session; undefined until it is completed. */
  readSetup(sessionId: string): Promise<SetupReading | undefined>;
  /** The invoice that a charge paid; undefined if it paid none. */
  readInvoiceOfCharge(stripeChargeId: string): Promise<string | undefined>;
  /** The refunds and disputes of one charge, or of all charges since a time (seconds since the Unix epoch). */
  readReversals(of: { stripeChargeId: string } | { sinceS: number }): Promise<ReversalsReading>;
  /** @throws AppError `webhook_signature_invalid`, `webhook_malformed` */
  readWebhook(rawBody: string, signatureHeader: string | null, now: Date): StripeNotice;
}

/** @param httpClient for tests: replaces the library's HTTP client */
export function openStripe(settings: StripeSettings, httpClient?: Stripe.HttpClient): StripeGateway {
  const base = settings.apiBase === undefined ? undefined : new URL(settings.apiBase);
  const client = new Stripe(settings.secretKey, {
    // The outbox retries with stored keys, so the library must not retry itself.
    maxNetworkRetries: 0,
    timeout: REQUEST_TIMEOUT_MS,
    telemetry: false,
    ...(httpClient === undefined ? {} : { httpClient }),
    ...(base === undefined
      ? {}
      : {
          host: base.hostname,
          port: base.port === '' ? (base.protocol === 'http:' ? 80 : 443) : base.port,
          protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
        }),
  });
  return {
    send: (operation, parameters, context) =>
      withJudgement(() => sendOperation(client, operation, parameters, context)),
    findEffect: (operation, parameters, context) =>
      withJudgement(() => findEffect(client, operation, parameters, context)),
    readInvoice: (id) => withJudgement(() => readInvoice(client, id)),
    readCustomer: (id) => withJudgement(() => readCustomer(client, id)),
    readSetup: (id) => withJudgement(() => readSetup(client, id)),
    readInvoiceOfCharge: (id) => withJudgement(() => readInvoiceOfCharge(client, id)),
    readReversals: (of) => withJudgement(() => readReversals(client, of)),
    readWebhook: (rawBody, header, now) => readWebhook(client, settings.webhookSecret, rawBody, header, now),
  };
}
