// Stripe, behind an adapter.
export {
  type CallParameters,
  interactiveOperations,
  needsOf,
  parseOperation,
  type StripeOperation,
} from './call-parameters.ts';
export { fromCents, SMALLEST_CHARGE_CENTS, toCents } from './cents.ts';
export type { CallContext, CallOutcome } from './operations.ts';
export type { CustomerReading, InvoiceReading } from './readings.ts';
export { dueReversals, type Reversal, type ReversalsReading, referencesOf } from './reversals.ts';
export { StripeRefusal, StripeUnavailable } from './stripe-failure.ts';
export { openStripe, type StripeGateway } from './stripe-gateway.ts';
export { type StripeSettings, stripeSettings, stripeVariables } from './stripe-settings.ts';
export { type StripeNotice, type StripeSubject, subjectOf } from './webhook.ts';
