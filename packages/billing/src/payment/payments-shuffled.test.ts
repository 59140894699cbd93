// Whatever Stripe, the network, the clock and the process do, in any order: each invoice is paid exactly once. The
// stand-in charges again when asked again, so only the product itself prevents a double charge.
//
// PENSTOCK_PROPERTY_RUNS=1000 runs a thousand random scenarios. PENSTOCK_PROPERTY_FIRST=501 starts with the 501st, so
// that a long list can be split over several runs or processes. PENSTOCK_PROPERTY_SEED=n repeats only scenario n.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@penstock/units';
import { expect, test } from 'vitest';
import { DECLINING_LAST4, type Faults, noFaults, seededRandom } from '../stripe/testing/index.ts';
import { type ControlPlane, setUpControlPlane } from '../testing/control-plane.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { killable, survives } from './testing/killer.ts';
import { createPaymentWorld, type PaymentWorld } from './testing/payment-world.ts';

const runs = Number(process.env['PENSTOCK_PROPERTY_RUNS'] ?? 16);
const first = Number(process.env['PENSTOCK_PROPERTY_FIRST'] ?? 1);
const onlySeed = process.env['PENSTOCK_PROPERTY_SEED'];

/**
 * Scenarios mostly wait for the database, so several run in parallel: one at a time in each lane. Each lane has its own
 * database, because events, the reconciliation and the dunning cover a whole installation.
 */
const lanes = Array.from({ length: 4 }, () => setUpControlPlane());

/** Only for hangs, as the usual timeout, which a long list of runs exceeds. */
const timeoutMs = 600_000 + runs * 5_000;

const storm: Faults = {
  limited: 0.1,
  failedBefore: 0.1,
  failedAfter: 0.1,
  answerLost: 0.15,
  requestLost: 0.1,
  webhookDropped: 0.3,
  webhookDuplicated: 0.4,
  webhookDelayMs: 3 * HOUR_MS,
};

async function isSettled(plane: ControlPlane, world: PaymentWorld): Promise<boolean> {
  const { organizationId } = world.tenant;
  const open = await plane.database.invoice.count({ where: { organizationId, status: 'open' } });
  const waiting = await plane.database.stripeCall.count({ where: { organizationId, status: 'waiting' } });
  return open === 0 && waiting === 0;
}

/** Longer than any scenario, so that nothing is left over when the next one in its lane begins. */
const LONGEST_WAY_MS = 100 * DAY_MS;

async function runOneWay(plane: ControlPlane, seed: number, startsAt: Date): Promise<void> {
  const random = seededRandom(seed);
  let isDeadly = false;
  const world = await createPaymentWorld(plane, {
    seed,
    startsAt,
    wrap: (gateway) => killable(gateway, () => isDeadly && random.chance(0.06)),
  });
  const { standIn, context } = world;
  const startsDeclining = random.chance(0.25);
  await world.addCard(startsDeclining ? DECLINING_LAST4 : undefined);
  standIn.faults = storm;
  isDeadly = true;

  const shuffle = <T>(list: T[]): T[] => {
    const keyed = list.map((item) => ({ item, key: random.next() }));
    return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
  };
  const invoices = [await world.issueInvoice(['12.34', '0.66']), await world.issueInvoice(['1000.00', '-1.01'])];
  const jobs: (() => Promise<unknown>)[] = [
    () => world.send(),
    () => world.send(),
    () => Promise.all([world.send(), world.send()]),
    () => world.deliver(shuffle),
    () => world.handle(),
    () => reconcilePayments(context),
    () => world.dun(),
  ];
  for (let step = 0; step < 16; step += 1) {
    const job = jobs[random.below(jobs.length)];
    if (job !== undefined) {
      await survives(job);
    }
    world.advance(random.chance(0.15) ? 25 * HOUR_MS : random.below(40 * MINUTE_MS));
  }

  standIn.faults = noFaults;
  isDeadly = false;
  world.advance(HOUR_MS);
  if (startsDeclining) {
    await world.addCard();
  }
  for (let round = 0; round < 20 && !(await isSettled(plane, world)); round += 1) {
    await world.send();
    await world.deliver(shuffle);
    await world.handle();
    await reconcilePayments(context);
    await world.dun();
    world.advance(HOUR_MS);
  }
  // Everything still under way arrives after all is settled, and changes nothing.
  world.advance(DAY_MS);
  await world.deliver(shuffle);
  await world.handle();

  expect(standIn.violations).toEqual([]);
  expect(
    await plane.database.stripeCall.findMany({
      where: { organizationId: world.tenant.organizationId, status: { not: 'done' } },
    }),
  ).toEqual([]);
  for (const { id, totalUsd } of invoices) {
    const invoice = await plane.database.invoice.findUniqueOrThrow({ where: { id } });
    const raised = [...standIn.state.invoices.values()].filter((one) => one.metadata['penstock_invoice'] === id);
    const charges = standIn.state.charges.filter((charge) => raised.some((one) => one.id === charge.stripeInvoiceId));
    const payments = await plane.database.ledgerTransaction.count({ where: { invoiceId: id, kind: 'payment' } });
    expect({
      status: invoice.status,
      paid: invoice.amountPaidUsd.toFixed(2),
      raised: raised.map((one) => one.id),
      charged: charges.map((charge) => (charge.amount / 100).toFixed(2)),
      payments,
    }).toEqual({
      status: 'paid',
      paid: totalUsd,
      raised: [invoice.stripeInvoiceId],
      charged: [totalUsd],
      payments: 1,
    });
  }
  expect(await world.standing()).toBe('good');
}

// Webhooks, retries, lost answers, forgotten keys and killed processes.
test(
  'pays each invoice exactly once in every order of events',
  async () => {
    const ways =
      onlySeed === undefined ? Array.from({ length: runs }, (_, index) => first + index) : [Number(onlySeed)];
    const waiting = ways.values();
    await Promise.all(
      lanes.map(async (plane) => {
        let startsAtMs = Date.UTC(2026, 11, 2);
        for (const way of waiting) {
          await runOneWay(plane, way, new Date(startsAtMs)).catch((error: unknown) => {
            throw new Error(`way ${way} (PENSTOCK_PROPERTY_SEED=${way}) failed`, { cause: error });
          });
          startsAtMs += LONGEST_WAY_MS;
        }
      }),
    );
  },
  timeoutMs,
);
