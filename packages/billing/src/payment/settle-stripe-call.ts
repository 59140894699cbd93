// Settles one call of the outbox. It claims the call before sending it (so that a crash leaves a trace), sends it with
// its stored idempotency key, and records it together with its effect on our rows. A retry first looks for the effect
// of earlier attempts: within Stripe's 24 hours that saves a call, and after them the key alone would not prevent a
// duplicate. Calls are read and claimed by their own id, before their tenant is known; writes for a tenant run in
// `inTenant`.
import type { Database, Transaction } from '@penstock/database/client';
import { inTenant, lockBillingAccount } from '@penstock/tenancy';
import { MINUTE_MS } from '@penstock/units';
import { newMethodAttempt, queuePaymentAttempt } from '../collection/queue-invoice-collection.ts';
import {
  type CallOutcome,
  interactiveOperations,
  needsOf,
  parseOperation,
  type StripeOperation,
  StripeRefusal,
  StripeUnavailable,
} from '../stripe/index.ts';
import type { PaymentContext } from './payment-context.ts';
import { noteFailedPayment } from './payment-failure.ts';
import { syncInvoice } from './sync-invoice.ts';

/** Longer than a check and a call may take. Until then no other process sends the same call. */
export const CLAIM_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 30 * MINUTE_MS;
/** By then the user who waited for the page has left. */
const INTERACTIVE_LIFE_MS = 10 * MINUTE_MS;

/** Whether the user who waited for this Stripe page has left. */
export function isAbandoned({ createdAt }: { createdAt: Date }, now: Date): boolean {
  return now.getTime() > createdAt.getTime() + INTERACTIVE_LIFE_MS;
}

export interface Settlement {
  /** waiting: to be retried, or something that it needs is missing. */
  status: 'done' | 'failed' | 'waiting';
  /** The outcome of a call that was sent now. */
  outcome?: CallOutcome;
}

/** The pause after this many attempts: five seconds, doubled each time, up to half an hour. */
export function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS);
}

interface CallFacts {
  id: string;
  organizationId: string;
  operation: StripeOperation;
  subject: string;
  key: string;
  parameters: { invoiceId?: string };
}

/** The call, or its result if another process has settled it meanwhile. */
async function readCall(
  database: Database,
  callId: string,
): Promise<(CallFacts & { createdAt: Date }) | { ended: 'done' | 'failed' }> {
  const row = await database.stripeCall.findUniqueOrThrow({ where: { id: callId } });
  if (row.status !== 'waiting') {
    return { ended: row.status === 'failed' ? 'failed' : 'done' };
  }
  const { id, organizationId, subject, idempotencyKey: key, createdAt } = row;
  // The gateway checks them against the operation's schema before sending anything.
  const parameters = row.parameters as { invoiceId?: string };
  return { id, organizationId, operation: parseOperation(row.operation), subject, key, parameters, createdAt };
}

/** The Stripe ids that the call needs; undefined while one is missing. */
async function resolveNeeds(
  database: Database,
  { organizationId, operation, parameters }: CallFacts,
): Promise<
  { stripeCustomerId: string | null; stripeInvoiceId: string | null; paymentMethodId: string | null } | undefined
> {
  const needs = needsOf(operation);
  const account = await database.billingAccount.findUnique({ where: { organizationId } });
  const stripeCustomerId = account?.stripeCustomerId ?? null;
  if (needs.customer && stripeCustomerId === null) {
    return undefined;
  }
  let stripeInvoiceId: string | null = null;
  if (needs.invoice && parameters.invoiceId !== undefined) {
    const invoice = await database.invoice.findUnique({ where: { id: parameters.invoiceId, organizationId } });
    stripeInvoiceId = invoice?.stripeInvoiceId ?? null;
  }
  if (needs.invoice && stripeInvoiceId === null) {
    return undefined;
  }
  return { stripeCustomerId, stripeInvoiceId, paymentMethodId: account?.stripePaymentMethodId ?? null };
}

interface Claim {
  /** The number of this attempt, starting at 1. */
  attempts: number;
  /** After this, another process may send. */
  until: Date;
}

/**
 * Claims the call for one attempt and records when it was first sent. @returns undefined if another process has claimed
 * it
 */
async function claim(database: Database, callId: string, now: Date): Promise<Claim | undefined> {
  const until = new Date(now.getTime() + CLAIM_MS);
  const [row] = await database.$queryRaw<{ attempts: number }[]>`
    UPDATE stripe_call SET attempts = attempts + 1, first_sent_at = coalesce(first_sent_at, ${now}), not_before = ${until}
    WHERE id = ${callId}::uuid AND status = 'waiting' AND (not_before IS NULL OR not_before <= ${now})
    RETURNING attempts`;
  return row === undefined ? undefined : { attempts: row.attempts, until };
}

/**
 * Records a declined card. If another card was added meanwhile, its owner could not know of this failure, so it is
 * tried at once. Stripe may answer a retry with its stored answer to the first attempt. The card charged then is
 * unknown, and counts as another one.
 */
async function recordDecline(
  tx: Transaction,
  { organizationId, invoiceId, now }: { organizationId: string; invoiceId: string; now: Date },
  { reason, paymentMethodId }: { reason: string; paymentMethodId: string | null | undefined },
): Promise<void> {
  const scope = { tx, organizationId, now };
  const { stripePaymentMethodId: current } = await lockBillingAccount(scope);
  await noteFailedPayment(scope, { invoiceId, reason, isNewAttempt: true });
  if (current === null || current === paymentMethodId) {
    return;
  }
  await queuePaymentAttempt(tx, { organizationId, invoiceId, attempt: newMethodAttempt(current), now });
}

/**
 * Applies the call's effect to our own rows. Each effect happens once, whichever process sees the outcome first.
 * @param paymentMethodId the organization's payment method before the call was sent; undefined if unknown
 */
async function recordEffect(
  tx: Transaction,
  call: CallFacts,
  outcome: CallOutcome,
  { now, paymentMethodId }: { now: Date; paymentMethodId: string | null | undefined },
): Promise<void> {
  const { organizationId, parameters } = call;
  const id = parameters.invoiceId;
  if (call.operation === 'customer.create') {
    await tx.billingAccount.updateMany({
      where: { organizationId, stripeCustomerId: null },
      data: { stripeCustomerId: outcome.resultId },
    });
  }
  if (id === undefined) {
    return;
  }
  if (call.operation === 'invoice.create') {
    await tx.invoice.updateMany({
      where: { id, organizationId, stripeInvoiceId: null },
      data: { stripeInvoiceId: outcome.resultId },
    });
  }
  if (call.operation === 'invoice.finalize') {
    await tx.invoice.updateMany({
      where: { id, organizationId },
      data: { hostedInvoiceUrl: outcome.url ?? null },
    });
  }
  if (call.operation === 'invoice.pay' && outcome.declined !== undefined) {
    const failed = { organizationId, invoiceId: id, now };
    await recordDecline(tx, failed, { reason: outcome.declined, paymentMethodId });
  }
}

async function recordDone(
  context: PaymentContext,
  call: CallFacts,
  outcome: CallOutcome,
  paymentMethodId: string | null | undefined,
): Promise<void> {
  const now = context.clock();
  await inTenant(context.database, call.organizationId, async (tx) => {
    const { count } = await tx.stripeCall.updateMany({
      where: { id: call.id, status: 'waiting' },
      data: {
        status: 'done',
        doneAt: now,
        resultId: outcome.resultId,
        notBefore: null,
        lastError: outcome.declined ?? null,
      },
    });
    if (count === 1) {
      await recordEffect(tx, call, outcome, { now, paymentMethodId });
    }
  });
}

async function recordTrouble(
  { database, clock }: PaymentContext,
  callId: string,
  trouble: { status: 'waiting' | 'failed'; message: string; attempts: number },
): Promise<void> {
  const { status, message, attempts } = trouble;
  await database.stripeCall.updateMany({
    where: { id: callId, status: 'waiting' },
    data: { status, lastError: message, notBefore: new Date(clock().getTime() + pauseAfter(attempts)) },
  });
}

/**
 * Reads the result of a payment without waiting for Stripe's webhook. If that fails, the webhook or the reconciliation
 * delivers it.
 */
async function syncAtOnce(context: PaymentContext, stripeInvoiceId: string): Promise<void> {
  try {
    await syncInvoice(context, stripeInvoiceId);
  } catch (error) {
    if (!(error instanceof StripeUnavailable || error instanceof StripeRefusal)) {
      throw error;
    }
    context.logger.warn({ at: stripeInvoiceId, reason: error.message }, 'Could not see how a payment ended');
  }
}

/** Sends a call of the outbox, if it may be sent now. */
export async function settleStripeCall(context: PaymentContext, callId: string): Promise<Settlement> {
  const { database, stripe, clock, logger } = context;
  const call = await readCall(database, callId);
  if ('ended' in call) {
    return { status: call.ended };
  }
  if (interactiveOperations.has(call.operation) && isAbandoned(call, clock())) {
    await recordTrouble(context, callId, {
      status: 'failed',
      message: 'Nobody waits for this page any more.',
      attempts: 1,
    });
    return { status: 'failed' };
  }
  const needs = await resolveNeeds(database, call);
  if (needs === undefined) {
    return { status: 'waiting' };
  }
  const claimed = await claim(database, callId, clock());
  if (claimed === undefined) {
    return { status: 'waiting' };
  }
  const { attempts, until } = claimed;

  const { paymentMethodId, ...ids } = needs;
  const callContext = { key: call.key, organizationId: call.organizationId, ...ids };
  let outcome: CallOutcome;
  try {
    // A payment always checks first: another attempt at the same invoice, with its own key, may have paid it.
    const hasToLook = attempts > 1 || call.operation === 'invoice.pay';
    const earlier = hasToLook ? await stripe.findEffect(call.operation, call.parameters, callContext) : undefined;
    // If the process was paused, its check is outdated and its claim has expired.
    if (earlier === undefined && clock() >= until) {
      return { status: 'waiting' };
    }
    outcome = earlier ?? (await stripe.send(call.operation, call.parameters, callContext));
  } catch (error) {
    const facts = { call: callId, operation: call.operation, subject: call.subject, attempts };
    if (error instanceof StripeUnavailable) {
      await recordTrouble(context, callId, { status: 'waiting', message: error.message, attempts });
      logger.warn({ ...facts, reason: error.message }, 'A call to Stripe has to be repeated');
      return { status: 'waiting' };
    }
    if (error instanceof StripeRefusal) {
      await recordTrouble(context, callId, { status: 'failed', message: error.message, attempts });
      logger.error({ ...facts, reason: error.message }, 'Stripe refuses a call: a person must look');
      return { status: 'failed' };
    }
    throw error;
  }
  await recordDone(context, call, outcome, attempts > 1 ? undefined : paymentMethodId);
  if (call.operation === 'invoice.pay' && needs.stripeInvoiceId !== null) {
    await syncAtOnce(context, needs.stripeInvoiceId);
  }
  return { status: 'done', outcome };
}
