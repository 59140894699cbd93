// Decides which of an organization's queued calls may be sent, and in what order.
import type { Database } from '@penstock/database/client';
import { topicOf } from '../collection/queue-stripe-call.ts';
import { interactiveOperations, needsOf, parseOperation, type StripeOperation } from '../stripe/index.ts';
import type { PaymentContext } from './payment-context.ts';
import { isAbandoned, settleStripeCall } from './settle-stripe-call.ts';

/** The maximum number of an organization's calls per run; the next run takes the rest. */
const BATCH = 500;

/** Calls whose failure blocks the rest of their topic: an invoice that lacks a line must not be charged. */
function holdsItsTopic(operation: StripeOperation): boolean {
  return needsOf(operation).invoice || operation === 'invoice.create';
}

/** Organizations with a call that may be sent now. */
export async function listOrganizationsWithCalls(database: Database, now: Date): Promise<string[]> {
  const rows = await database.stripeCall.findMany({
    where: { status: 'waiting', OR: [{ notBefore: null }, { notBefore: { lte: now } }] },
    distinct: ['organizationId'],
    select: { organizationId: true },
  });
  return rows.map((row) => row.organizationId);
}

/**
 * Sends an organization's calls that can be sent now. Calls of one topic go in order: a waiting call blocks only its
 * own topic. @returns how many were settled
 */
export async function sendStripeCalls(context: PaymentContext, organizationId: string): Promise<number> {
  const { database, clock } = context;
  const calls = await database.stripeCall.findMany({
    where: { organizationId, status: { in: ['waiting', 'failed'] } },
    orderBy: { id: 'asc' },
    take: BATCH,
    select: { id: true, operation: true, subject: true, status: true, notBefore: true, createdAt: true },
  });
  const heldTopics = new Set<string>();
  let settled = 0;
  for (const call of calls) {
    const topic = topicOf(call.subject);
    const operation = parseOperation(call.operation);
    if (call.status === 'failed') {
      if (holdsItsTopic(operation)) {
        heldTopics.add(topic);
      }
      continue;
    }
    // The request that waits for a page sends its call itself. The worker clears abandoned ones.
    if (heldTopics.has(topic) || (interactiveOperations.has(operation) && !isAbandoned(call, clock()))) {
      continue;
    }
    const isDue = call.notBefore === null || call.notBefore <= clock();
    const result = isDue ? (await settleStripeCall(context, call.id)).status : 'waiting';
    if (result !== 'waiting') {
      settled += 1;
    }
    if (result === 'waiting' || (result === 'failed' && holdsItsTopic(operation))) {
      heldTopics.add(topic);
    }
  }
  return settled;
}
