// The worker's part in collecting payments: calls to Stripe, Stripe's events, reconciliation and dunning.
import {
  type DunningOptions,
  EVENTS_PAYLOAD,
  handleStripeEvents,
  listOrganizationsWithCalls,
  type PaymentContext,
  reconcilePayments,
  runDunning,
  sendStripeCalls,
} from '@penstock/billing';
import type { Database } from '@penstock/database';
import type { NotificationListener } from '@penstock/tenancy';
import type { Runner, Task } from 'graphile-worker';
import { z } from 'zod';

type Jobs = Pick<Runner, 'addJob'>;

/** The next sweep finds failed work again, so the queue need not retry it. */
const MAX_ATTEMPTS = 1;

const sendCallsPayload = z.object({ organizationId: z.string() });

/** One job per organization, so that one with many calls does not delay the others. */
async function enqueueCalls(jobs: Jobs, organizationId: string): Promise<void> {
  await jobs.addJob(
    'send-stripe-calls',
    { organizationId },
    { jobKey: `stripe-calls:${organizationId}`, maxAttempts: MAX_ATTEMPTS },
  );
}

async function enqueueEvents(jobs: Jobs): Promise<void> {
  await jobs.addJob('handle-stripe-events', {}, { jobKey: 'stripe-events', maxAttempts: MAX_ATTEMPTS });
}

/** Enqueues all pending calls to Stripe and all unprocessed events. */
async function enqueuePaymentWork(jobs: Jobs, database: Database): Promise<void> {
  for (const organizationId of await listOrganizationsWithCalls(database, new Date())) {
    await enqueueCalls(jobs, organizationId);
  }
  await enqueueEvents(jobs);
}

/** Enqueues calls to Stripe and its events as soon as their transaction commits. */
export function paymentListener(database: Database, jobs: Jobs): NotificationListener {
  return {
    onNotification: (payload) => (payload === EVENTS_PAYLOAD ? enqueueEvents(jobs) : enqueueCalls(jobs, payload)),
    onConnect: () => enqueuePaymentWork(jobs, database),
  };
}

export function sendStripeCallsJob(context: PaymentContext): Task {
  return async (payload, helpers) => {
    const { organizationId } = sendCallsPayload.parse(payload);
    // A settled call may unblock the next one.
    while (helpers.abortSignal?.aborted !== true && (await sendStripeCalls(context, organizationId)) > 0) {}
  };
}

export function handleStripeEventsJob(context: PaymentContext): Task {
  return async (_payload, helpers) => {
    while (helpers.abortSignal?.aborted !== true && (await handleStripeEvents(context)) > 0) {}
  };
}

export function sweepPaymentsJob(database: Database): Task {
  return (_payload, helpers) => enqueuePaymentWork(helpers, database);
}

export function reconcilePaymentsJob(context: PaymentContext): Task {
  return async (_payload, helpers) => {
    const result = await reconcilePayments(context);
    helpers.logger.info(`Compared with Stripe: ${JSON.stringify(result)}`);
  };
}

export function runDunningJob(database: Database, options: Omit<DunningOptions, 'now'>): Task {
  return async (_payload, helpers) => {
    const mailed = await runDunning(database, { ...options, now: new Date() });
    if (mailed > 0) {
      helpers.logger.info(`Wrote about ${mailed} unpaid invoices`);
    }
  };
}
