// From a final invoice to payment, with a Stripe stand-in on a real database, including repeats and crashes.
import { HOUR_MS, MINUTE_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { queueCreditNoteCollection } from '../collection/queue-credit-note.ts';
import { chooseCollection } from '../collection/queue-invoice-collection.ts';
import { noFaults } from '../stripe/testing/index.ts';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { type KillPoint, killable, survives } from './testing/killer.ts';
import { createPaymentWorld, type PaymentWorld } from './testing/payment-world.ts';

const plane = setUpControlPlane();

function charged(world: PaymentWorld): number[] {
  return world.standIn.state.charges.map((charge) => charge.amount);
}

test('creates, charges and books an invoice once, to the cent', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const { id, number } = await world.issueInvoice(['100.01', '0.02', '-50.00']);
  await world.send();
  const [raised] = [...world.standIn.state.invoices.values()];
  expect(raised).toMatchObject({ number, status: 'paid', amount_paid: 5003, metadata: { penstock_invoice: id } });
  const items = raised === undefined ? [] : world.standIn.state.itemsOf(raised.id);
  expect(items.map((item) => item.amount)).toEqual([10001, 2, -5000]);
  expect(charged(world)).toEqual([5003]);
  const invoice = await plane.database.invoice.findUniqueOrThrow({ where: { id } });
  expect(invoice).toMatchObject({ status: 'paid', stripeInvoiceId: raised?.id });
  expect(invoice.hostedInvoiceUrl).toContain(`/i/${raised?.id}`);
  expect(world.standIn.violations).toEqual([]);
});

test('an invoice with more lines than Stripe takes is charged', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const amounts = Array.from({ length: 300 }, (_, index) => `${index}.0${index % 10}`);
  const { id, number, totalUsd } = await world.issueInvoice([...amounts, '-0.99']);
  await world.send();
  const [raised] = [...world.standIn.state.invoices.values()];
  expect(raised).toMatchObject({ number, status: 'paid' });
  const items = raised === undefined ? [] : world.standIn.state.itemsOf(raised.id);
  expect(items.map(({ amount, description }) => [amount, description])).toEqual([
    [Math.round(Number(totalUsd) * 100), `Writes: 301 lines. Invoice ${number} in the dashboard lists them.`],
  ]);
  const invoice = await plane.database.invoice.findUniqueOrThrow({ where: { id } });
  expect([invoice.status, invoice.amountPaidUsd.toFixed(2)]).toEqual(['paid', totalUsd]);
});

test('never charges a Stripe draft with a different total', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const { id } = await world.issueInvoice(['10.00']);
  // Simulates a line that was changed before it was sent.
  await plane.database.stripeCall.updateMany({
    where: { subject: `${id}/line-1` },
    data: {
      parameters: { invoiceId: id, position: 1, amountCents: 999, description: 'x', periodStartS: 1, periodEndS: 2 },
    },
  });
  await world.send();
  await world.send();
  expect(charged(world)).toEqual([]);
  const finalize = await plane.database.stripeCall.findFirstOrThrow({ where: { subject: `${id}/finalize` } });
  expect(finalize).toMatchObject({ status: 'failed' });
  expect(finalize.lastError).toContain('999 cents and ours to 1000');
});

test('an amount too small for a card is collected by transfer', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const choose = (totalUsd: string, isStripeConfigured = true) =>
    world.tenant.run(({ tx, organizationId }) =>
      chooseCollection(tx, { organizationId, totalUsd, isStripeConfigured }),
    );
  expect(await choose('0.49')).toBe('transfer');
  expect(await choose('0.50')).toBe('card');
  expect(await choose('50.00', false)).toBe('transfer');
});

test('a credit note for an open invoice reduces the charge', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const { id } = await world.issueInvoice(['10.00']);
  // Finalized at Stripe, and not paid yet.
  await plane.database.stripeCall.updateMany({
    where: { subject: `${id}/attempt-1` },
    data: { notBefore: new Date(world.now.getTime() + HOUR_MS) },
  });
  await world.send();
  await world.tenant.run(({ tx, organizationId }) =>
    queueCreditNoteCollection(tx, {
      creditNoteId: id,
      invoiceId: id,
      organizationId,
      openUsd: '4.00',
      reason: 'sorry',
      now: world.now,
    }),
  );
  const note = await plane.database.stripeCall.findFirstOrThrow({
    where: { operation: 'credit_note.create', subject: { startsWith: id } },
  });
  // The credit note was issued before the attempt to charge.
  await plane.database.stripeCall.update({
    where: { id: note.id },
    data: { id: '00000000-0000-7000-8000-000000000001' },
  });
  world.advance(2 * HOUR_MS);
  await world.send();
  expect(charged(world)).toEqual([600]);
});

describe('a payment whose response was lost', () => {
  // Only our own check prevents it.
  test('would be charged again by Stripe after 25 hours', async () => {
    const world = await createPaymentWorld(plane);
    await world.addCard();
    await world.issueInvoice(['20.00']);
    await world.send();
    const [raised] = [...world.standIn.state.invoices.values()];
    const pay = await plane.database.stripeCall.findFirstOrThrow({
      where: { organizationId: world.tenant.organizationId, operation: 'invoice.pay' },
    });
    const context = {
      key: pay.idempotencyKey,
      organizationId: world.tenant.organizationId,
      stripeCustomerId: raised?.customer ?? '',
      stripeInvoiceId: raised?.id ?? '',
    };
    world.advance(23 * HOUR_MS);
    await world.context.stripe.send('invoice.pay', pay.parameters, context);
    expect(charged(world)).toEqual([2000]);
    world.advance(2 * HOUR_MS);
    await world.context.stripe.send('invoice.pay', pay.parameters, context);
    expect(charged(world)).toEqual([2000, 2000]);
  });

  test('is not charged or booked again when retried after 25 hours', async () => {
    const world = await createPaymentWorld(plane, {
      wrap: (gateway) => killable(gateway, (point) => isCut && point === 'after send'),
    });
    let isCut = false;
    await world.addCard();
    const { id } = await world.issueInvoice(['20.00']);
    // Everything but the payment succeeds.
    await plane.database.stripeCall.updateMany({
      where: { subject: `${id}/attempt-1` },
      data: { notBefore: new Date(world.now.getTime() + MINUTE_MS) },
    });
    await world.send();
    world.advance(2 * MINUTE_MS);
    isCut = true;
    expect(await survives(() => world.send())).toBe(true);
    isCut = false;
    expect(charged(world)).toEqual([2000]);

    world.advance(25 * HOUR_MS);
    await world.send();
    expect(charged(world)).toEqual([2000]);
    expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({ status: 'paid' });
    expect(await plane.database.ledgerTransaction.count({ where: { invoiceId: id, kind: 'payment' } })).toBe(1);
  });
});

test('is not sent by a process that was paused past its claim', async () => {
  let isPaused = false;
  const world: PaymentWorld = await createPaymentWorld(plane, {
    wrap: (gateway) => ({
      ...gateway,
      async findEffect(operation, parameters, context) {
        const seen = await gateway.findEffect(operation, parameters, context);
        if (operation === 'invoice.pay' && isPaused) {
          isPaused = false;
          world.advance(25 * HOUR_MS);
          await world.send();
        }
        return seen;
      },
    }),
  });
  await world.addCard();
  const { id } = await world.issueInvoice(['20.00']);
  await world.send();
  const [paid] = [...world.standIn.state.invoices.values()];
  if (paid === undefined) {
    throw new Error('Nothing was raised');
  }
  // As if the first attempt had never arrived, and Stripe had forgotten its key.
  Object.assign(paid, { status: 'open', amount_paid: 0 });
  world.standIn.state.charges.length = 0;
  await plane.database.stripeCall.updateMany({ where: { subject: `${id}/attempt-1` }, data: { status: 'waiting' } });
  world.advance(25 * HOUR_MS);
  isPaused = true;
  await world.send();
  expect(isPaused).toBe(false);
  expect(charged(world)).toEqual([2000]);
});

describe('a process killed at each step', () => {
  const points: KillPoint[] = [
    'before send',
    'after send',
    'before findEffect',
    'after findEffect',
    'before readInvoice',
    'after readInvoice',
  ];

  test.each(points)('%s: killed at any call, it creates and pays the invoice once', async (point) => {
    let isArmed = false;
    const world = await createPaymentWorld(plane, {
      wrap: (gateway) =>
        killable(gateway, (here) => {
          const isFatal = isArmed && here === point;
          // Once per job: the next process gets one step further.
          if (isFatal) {
            isArmed = false;
          }
          return isFatal;
        }),
    });
    await world.addCard();
    const { id } = await world.issueInvoice(['7.00', '3.00']);
    let ends = 0;
    for (let round = 0; round < 12; round += 1) {
      isArmed = true;
      // Retries check first, and killing a check needs one to exist: a failure before it makes the call a retry.
      if (await survives(() => world.send())) {
        ends += 1;
      }
      // Alternates between before and after Stripe forgets the key.
      world.advance(round % 2 === 0 ? 2 * MINUTE_MS : 25 * HOUR_MS);
    }
    isArmed = false;
    await world.send();
    await reconcilePayments(world.context);
    if (!point.endsWith('findEffect')) {
      expect(ends).toBeGreaterThan(0);
    }
    expect(world.standIn.state.invoices.size).toBe(1);
    expect(world.standIn.state.items.size).toBe(2);
    expect(charged(world)).toEqual([1000]);
    expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({ status: 'paid' });
    expect(await plane.database.ledgerTransaction.count({ where: { invoiceId: id, kind: 'payment' } })).toBe(1);
  });

  test('a check that was killed is repeated', async () => {
    let fatal: KillPoint | undefined;
    const world = await createPaymentWorld(plane, { wrap: (gateway) => killable(gateway, (point) => point === fatal) });
    await world.addCard();
    await world.issueInvoice(['5.00']);
    for (const point of ['after send', 'before findEffect', 'after findEffect'] as const) {
      fatal = point;
      expect(await survives(() => world.send())).toBe(true);
      world.advance(25 * HOUR_MS);
    }
    fatal = undefined;
    await world.send();
    expect(world.standIn.state.invoices.size).toBe(1);
    expect(charged(world)).toEqual([500]);
  });
});

test('errors never log or store a Stripe secret', async () => {
  const lines: string[] = [];
  const world = await createPaymentWorld(plane, { log: (line) => void lines.push(line) });
  await world.addCard();
  await world.issueInvoice(['5.00']);
  world.standIn.faults = { ...noFaults, limited: 0.3, failedBefore: 0.3, answerLost: 0.3 };
  for (let round = 0; round < 6; round += 1) {
    await world.send();
    world.advance(HOUR_MS);
  }
  const calls = await plane.database.stripeCall.findMany({ where: { organizationId: world.tenant.organizationId } });
  expect(lines.length).toBeGreaterThan(0);
  expect(`${lines.join('')}${JSON.stringify(calls)}`).not.toMatch(/sk_test_secret|whsec_secret|Bearer/);
});
