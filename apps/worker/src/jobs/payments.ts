// The worker's part in collecting money: calls to Stripe, its events, the reconciliation, the dunning.
import {
  type DunningOptions,
  eventsPayload,
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

/** What fails is found again by the next sweep, so the queue need not repeat it. */
const maxAttempts = 1;

const sendCallsPayload = z.object({ organizationId: z.string() });

/** A job per organization, so that one with much to send holds up no other. */
async function enqueueCalls(jobs: Jobs, organizationId: string): Promise<void> {
  await jobs.addJob('send-stripe-calls', { organizationId }, { jobKey: `stripe-calls:${organizationId}`, maxAttempts });
}

async function enqueueEvents(jobs: Jobs): Promise<void> {
  await jobs.addJob('handle-stripe-events', {}, { jobKey: 'stripe-events', maxAttempts });
}

/** Everything that waits for a call to Stripe or to be acted on. */
async function enqueuePaymentWork(jobs: Jobs, database: Database): Promise<void> {
  for (const organizationId of await listOrganizationsWithCalls(database, new Date())) {
    await enqueueCalls(jobs, organizationId);
  }
  await enqueueEvents(jobs);
}

/** Enqueues calls to Stripe and its events as soon as their transaction is committed. */
export function paymentListener(database: Database, jobs: Jobs): NotificationListener {
  return {
    onNotification: (payload) => (payload === eventsPayload ? enqueueEvents(jobs) : enqueueCalls(jobs, payload)),
    onConnect: () => enqueuePaymentWork(jobs, database),
  };
}

export function sendStripeCallsJob(context: PaymentContext): Task {
  return async (payload, helpers) => {
    const { organizationId } = sendCallsPayload.parse(payload);
    // What is settled may have freed what comes after it.
    while (helpers.abortSignal?.aborted !== true && (await sendStripeCalls(context, organizationId)) > 0);
  };
}

export function handleStripeEventsJob(context: PaymentContext): Task {
  return async (_payload, helpers) => {
    while (helpers.abortSignal?.aborted !== true && (await handleStripeEvents(context)) > 0);
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
    if (mailed > 0) helpers.logger.info(`Wrote about ${mailed} unpaid invoices`);
  };
}
