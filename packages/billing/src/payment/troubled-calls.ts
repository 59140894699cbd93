// The Stripe outbox for our staff: permanent failures, pending retries, and events that could not be processed.
import type { Database, Transaction } from '@penstock/database/client';
import { AppError, isUuid } from '@penstock/platform';
import { type Actor, inTenant, recordAudit } from '@penstock/tenancy';
import { PAYMENT_WORK_CHANNEL, topicOf } from '../collection/queue-stripe-call.ts';
import { interactiveOperations } from '../stripe/index.ts';

export interface TroubledCall {
  id: string;
  organization: { id: string; name: string };
  operation: string;
  /** The number of its invoice, if there is one. */
  invoiceNumber: string | null;
  /** failed: until someone retries it. waiting: retried automatically. */
  status: 'failed' | 'waiting';
  attempts: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
  error: string;
  /** How many calls of the same topic it blocks. */
  heldUp: number;
}

export interface TroubledEvent {
  id: string;
  type: string;
  receivedAt: Date;
  attempts: number;
  error: string;
}

export interface Outbox {
  /** Queued calls that have never failed. */
  waiting: number;
  /** How long the oldest of them has been waiting; null if there is none. */
  oldestWaitingSince: Date | null;
  calls: TroubledCall[];
  events: TroubledEvent[];
}

/** Excludes page calls: their users have left, so a failure needs no attention. */
const notForPages = { operation: { notIn: [...interactiveOperations] } };

/** All calls and events that may need attention, oldest first. */
export async function readOutbox(database: Database): Promise<Outbox> {
  const rows = await database.stripeCall.findMany({
    where: { ...notForPages, OR: [{ status: 'failed' }, { status: 'waiting', lastError: { not: null } }] },
    orderBy: { id: 'asc' },
  });
  const untroubled = { ...notForPages, status: 'waiting', lastError: null };
  const [oldest] = await database.stripeCall.findMany({ where: untroubled, orderBy: { createdAt: 'asc' }, take: 1 });
  const organizations = await database.organization.findMany({
    where: { id: { in: rows.map(({ organizationId }) => organizationId) } },
    select: { id: true, name: true },
  });
  const invoices = await database.invoice.findMany({
    where: { id: { in: rows.map(({ subject }) => topicOf(subject)).filter(isUuid) } },
    select: { id: true, number: true },
  });
  const calls: TroubledCall[] = [];
  for (const row of rows) {
    const topic = topicOf(row.subject);
    const heldUp = await database.stripeCall.count({
      where: {
        organizationId: row.organizationId,
        status: 'waiting',
        id: { gt: row.id },
        OR: [{ subject: topic }, { subject: { startsWith: `${topic}/` } }],
      },
    });
    calls.push({
      id: row.id,
      organization: organizations.find(({ id }) => id === row.organizationId) ?? { id: row.organizationId, name: '' },
      operation: row.operation,
      invoiceNumber: invoices.find(({ id }) => id === topic)?.number ?? null,
      status: row.status === 'failed' ? 'failed' : 'waiting',
      attempts: row.attempts,
      createdAt: row.createdAt,
      nextAttemptAt: row.status === 'failed' ? null : row.notBefore,
      error: row.lastError ?? '',
      heldUp,
    });
  }
  const events = await database.stripeEvent.findMany({
    where: { lastError: { not: null } },
    orderBy: { receivedAt: 'asc' },
    select: { id: true, type: true, receivedAt: true, attempts: true, lastError: true },
  });
  return {
    waiting: await database.stripeCall.count({ where: untroubled }),
    oldestWaitingSince: oldest?.createdAt ?? null,
    calls,
    events: events.map(({ lastError, ...event }) => ({ ...event, error: lastError ?? '' })),
  };
}

/**
 * Lets the worker send failed calls again, with their existing keys. The effects of earlier attempts are looked for
 * first.
 * @param which a call's id, or `all`
 * @returns how many
 * @throws AppError `call_not_failed`
 */
export async function retryFailedCalls(
  database: Database,
  which: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<number> {
  const failed = { ...notForPages, status: 'failed' };
  const calls =
    which === 'all'
      ? await database.stripeCall.findMany({ where: failed, orderBy: { id: 'asc' } })
      : isUuid(which)
        ? await database.stripeCall.findMany({ where: { ...failed, id: which } })
        : [];
  if (calls.length === 0 && which !== 'all') {
    throw new AppError({
      kind: 'not-found',
      code: 'call_not_failed',
      message: `There is no failed call ${which}.`,
      remedy: 'List them with npm run admin -- billing outbox. What waits is repeated by itself.',
    });
  }
  for (const { id, organizationId, operation, lastError } of calls) {
    await inTenant(database, organizationId, async (tx) => {
      await revive(tx, id);
      await tx.$executeRaw`SELECT pg_notify(${PAYMENT_WORK_CHANNEL}, ${organizationId})`;
      await recordAudit(
        { tx, organizationId, actor, now },
        {
          action: 'billing.retry-call',
          targetType: 'organization',
          targetId: organizationId,
          before: { operation, error: lastError },
        },
      );
    });
  }
  return calls.length;
}

async function revive(tx: Transaction, id: string): Promise<void> {
  await tx.stripeCall.updateMany({ where: { id, status: 'failed' }, data: { status: 'waiting', notBefore: null } });
}
