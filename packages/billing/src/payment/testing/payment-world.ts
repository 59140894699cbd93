// A tenant with a card, a Stripe stand-in with its own clock, and the worker's jobs, which tests run in any order.
import { randomBytes } from 'node:crypto';
import { createLogger, newId } from '@penstock/platform';
import { usd, ZERO_USD } from '@penstock/pricing';
import { inTransaction, type Scope } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { queueInvoiceCollection } from '../../collection/queue-invoice-collection.ts';
import { recordBooking } from '../../credit/record-booking.ts';
import { invoiceIssued } from '../../ledger/booking.ts';
import { openStripe, type StripeGateway } from '../../stripe/index.ts';
import { type Faults, inProcessClient, noFaults, StripeStandIn, SUCCEEDING_LAST4 } from '../../stripe/testing/index.ts';
import type { ControlPlane, TestOrganization } from '../../testing/control-plane.ts';
import { completePaymentSetup } from '../complete-payment-setup.ts';
import { handleStripeEvents } from '../handle-stripe-events.ts';
import type { PaymentContext } from '../payment-context.ts';
import type { PaymentBackend } from '../payment-session.ts';
import { receiveStripeEvent } from '../receive-stripe-event.ts';
import { runDunning } from '../run-dunning.ts';
import { sendStripeCalls } from '../send-stripe-calls.ts';
import { startPaymentSetup } from '../start-payment-setup.ts';

export interface PaymentWorldOptions {
  seed?: number;
  faults?: Faults;
  /** Wraps the gateway, e.g. to kill the process at some point. */
  wrap?: (gateway: StripeGateway) => StripeGateway;
  log?: (line: string) => void;
  /** When the world's clock starts. */
  startsAt?: Date;
}

export interface PaymentWorld {
  readonly standIn: StripeStandIn;
  readonly context: PaymentContext;
  readonly tenant: TestOrganization;
  readonly backend: PaymentBackend;
  readonly now: Date;
  advance(durationMs: number): void;
  /** Through Checkout, as a user does it. */
  addCard(last4?: string): Promise<void>;
  /** An open card invoice with queued calls, as finalizing a month creates it. */
  issueInvoice(
    amountsUsd: string[],
    collection?: 'card' | 'transfer',
  ): Promise<{ id: string; number: string; totalUsd: string }>;
  send(): Promise<number>;
  /** Delivers the due webhooks, in the order that `sort` returns. */
  deliver(sort?: <T>(deliveries: T[]) => T[]): Promise<number>;
  handle(): Promise<number>;
  dun(): Promise<number>;
  mails(): Promise<{ to: string; subject: string; text: string }[]>;
  standing(): Promise<string>;
}

const party = (name: string) => ({ name, address: [], email: null, taxId: null });
const firstDay = new Date('2026-12-02T00:00:00Z');
const SECRET_KEY = 'sk_test_secret';
const WEBHOOK_SECRET = 'whsec_secret';

export async function createPaymentWorld(
  plane: Pick<ControlPlane, 'database' | 'newTenant'>,
  options: PaymentWorldOptions = {},
): Promise<PaymentWorld> {
  const { seed = 1, faults = noFaults, wrap = (gateway) => gateway, startsAt = firstDay } = options;
  let nowMs = startsAt.getTime();
  const clock = (): Date => new Date(nowMs);
  const name = randomBytes(5).toString('hex');
  const standIn = new StripeStandIn({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, clock, seed, name });
  const stripe = wrap(
    openStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: undefined }, inProcessClient(standIn)),
  );
  const { log } = options;
  const logger = createLogger({
    name: 'test',
    level: log === undefined ? 'silent' : 'trace',
    ...(log === undefined ? {} : { destination: { write: log } }),
  });
  const tenant = await plane.newTenant();
  const { database } = plane;
  const context: PaymentContext = { database, stripe, clock, logger };
  const backend: PaymentBackend = { payments: database, stripe, webUrl: 'https://app.penstock.example', logger };
  const who = (): Omit<Scope, 'tx'> => ({
    organizationId: tenant.organizationId,
    actor: { type: 'user', id: tenant.userId, label: 'owner@example.com', source: 'web' },
    now: clock(),
  });

  const world: PaymentWorld = {
    standIn,
    context,
    tenant,
    backend,
    get now() {
      return clock();
    },
    advance: (durationMs) => {
      nowMs += durationMs;
    },
    async addCard(last4 = SUCCEEDING_LAST4) {
      await startPaymentSetup(backend, who());
      const session = [...standIn.state.sessions.values()].at(-1);
      if (session === undefined) {
        throw new Error('No Checkout page was opened');
      }
      standIn.state.completeSession(session, last4);
      await completePaymentSetup(backend, who(), { sessionId: session.id });
    },
    async issueInvoice(amountsUsd, collection = 'card') {
      const { organizationId } = tenant;
      const id = newId(nowMs);
      const number = `PS-${id.slice(-12)}`;
      const total = amountsUsd.reduce((sum, amount) => sum.plus(usd(amount)), ZERO_USD);
      const months = await database.invoice.count({ where: { organizationId, kind: 'invoice' } });
      const periodStart = new Date(Date.UTC(2025, months, 1));
      await inTransaction(database, async (tx) => {
        const data = { id, organizationId, number, kind: 'invoice', periodStart, collection, status: 'open' };
        await tx.invoice.create({
          data: {
            ...data,
            periodEnd: new Date(Date.UTC(2025, months + 1, 1)),
            subtotalUsd: total.toFixed(2),
            creditUsd: '0',
            totalUsd: total.toFixed(2),
            billedTo: party('Acme'),
            billedBy: party('Penstock'),
            finalizedAt: clock(),
            dueAt: collection === 'card' ? clock() : new Date(nowMs + 30 * DAY_MS),
          },
        });
        await tx.invoiceLine.createMany({
          data: amountsUsd.map((amountUsd, index) => ({
            invoiceId: id,
            position: index + 1,
            product: 'writes',
            description: `Writes, part ${index + 1}`,
            amountUsd,
          })),
        });
        const bill = { subtotalUsd: total, creditUsd: ZERO_USD };
        await recordBooking(
          { tx, organizationId, now: clock() },
          invoiceIssued({ reference: `invoice:${id}`, description: number, invoiceId: id }, bill),
        );
        await queueInvoiceCollection(tx, { invoiceId: id, organizationId, now: clock() });
      });
      return { id, number, totalUsd: total.toFixed(2) };
    },
    send: () => sendStripeCalls(context, tenant.organizationId),
    async deliver(sort = (deliveries) => deliveries) {
      const due = sort(standIn.takeDue());
      for (const { body } of due) {
        await receiveStripeEvent(
          { database, stripe },
          { rawBody: body, signatureHeader: standIn.sign(body), now: clock() },
        );
      }
      return due.length;
    },
    handle: () => handleStripeEvents(context),
    dun: () => runDunning(database, { now: clock(), isStripeConfigured: true, webUrl: backend.webUrl }),
    async mails() {
      const user = await database.user.findUniqueOrThrow({ where: { id: tenant.userId } });
      const mails = await database.mail.findMany({
        where: { toAddress: user.email },
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      });
      return mails.map(({ toAddress: to, subject, text }) => ({ to, subject, text }));
    },
    async standing() {
      const account = await database.billingAccount.findUniqueOrThrow({
        where: { organizationId: tenant.organizationId },
      });
      return account.standing;
    },
  };
  standIn.faults = faults;
  return world;
}
