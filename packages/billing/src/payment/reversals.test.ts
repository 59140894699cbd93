// Refunds and disputes: with or without webhooks, in any order, each is booked once, and debits equal credits.
import { DAY_MS, HOUR_MS } from '@penstock/units';
import { expect, test } from 'vitest';
import { getInvoice } from '../invoice/get-invoice.ts';
import { issueCreditNote } from '../invoice/issue-credit-note.ts';
import { balancesOf } from '../invoice/testing/billing-fixture.ts';
import { noFaults } from '../stripe/testing/index.ts';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { createPaymentWorld, type PaymentWorld } from './testing/payment-world.ts';

const plane = setUpControlPlane();

async function worldWithPaidInvoice(total = '100.00') {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const invoice = await world.issueInvoice([total]);
  await world.send();
  await world.deliver();
  await world.handle();
  const [charge] = world.standIn.state.charges;
  if (charge === undefined) {
    throw new Error('Nothing was charged');
  }
  return { world, invoice, charge, view: () => read(world, invoice.id) };
}

function read(world: PaymentWorld, invoiceId: string) {
  return world.tenant.run((scope) => getInvoice(scope, { invoiceId }));
}

/** Delivers the pending webhooks, twice and in reverse order, and processes them. */
async function hear(world: PaymentWorld): Promise<void> {
  world.standIn.faults = { ...noFaults, webhookDuplicated: 1 };
  await world.deliver((deliveries) => deliveries.reverse());
  await world.handle();
}

async function balances(world: PaymentWorld): Promise<Record<string, string>> {
  const { credit: _, credit_expense: __, ...rest } = await balancesOf(plane.database, world.tenant.organizationId);
  return rest;
}

test('books a refund once and shows it on the paid invoice', async () => {
  const { world, charge, view } = await worldWithPaidInvoice();
  world.standIn.state.refund(charge, 3000);
  world.standIn.state.refund(charge, 500);
  await hear(world);
  await hear(world);
  await reconcilePayments(world.context);
  expect(await view()).toMatchObject({
    status: 'paid',
    amountPaidUsd: '100.00',
    refundedUsd: '35.00',
    disputedUsd: '0.00',
  });
  expect(await balances(world)).toEqual({ cash: '65.00', receivable: '0.00', revenue: '-65.00' });
  expect(world.standIn.violations).toEqual([]);
});

test('reconciles a refund without a webhook once', async () => {
  const { world, charge, view } = await worldWithPaidInvoice();
  world.standIn.faults = { ...noFaults, webhookDropped: 1 };
  world.standIn.state.refund(charge, 1000);
  world.advance(DAY_MS);
  expect(await reconcilePayments(world.context)).toMatchObject({ charges: 1 });
  expect(await reconcilePayments(world.context)).toMatchObject({ charges: 0 });
  expect(await view()).toMatchObject({ refundedUsd: '10.00' });
});

// So that nobody gets the same money twice.
test('a refund uses up the credits of an earlier credit note', async () => {
  const { world, invoice, charge, view } = await worldWithPaidInvoice();
  const before = await balancesOf(plane.database, world.tenant.organizationId);
  const note = { invoiceId: invoice.id, amountUsd: '40.00', reason: 'Writes were refused for an hour.' };
  await world.tenant.run((scope) => issueCreditNote(scope, note, { webUrl: undefined }));
  world.standIn.state.refund(charge, 4000);
  await hear(world);
  expect((await balancesOf(plane.database, world.tenant.organizationId))['credit']).toBe(before['credit']);
  expect(await balances(world)).toEqual({ cash: '60.00', receivable: '0.00', revenue: '-60.00' });
  expect(await view()).toMatchObject({ refundedUsd: '40.00' });
});

test('a failed refund is reversed, credits included', async () => {
  const { world, invoice, charge, view } = await worldWithPaidInvoice();
  const note = { invoiceId: invoice.id, amountUsd: '10.00', reason: 'Writes were refused for an hour.' };
  await world.tenant.run((scope) => issueCreditNote(scope, note, { webUrl: undefined }));
  const before = await balancesOf(plane.database, world.tenant.organizationId);
  const refund = world.standIn.state.refund(charge, 2500);
  await hear(world);
  world.standIn.state.moveRefund(refund, 'failed');
  await hear(world);
  expect(await balancesOf(plane.database, world.tenant.organizationId)).toEqual(before);
  expect(await view()).toMatchObject({ refundedUsd: '0.00' });
});

test('a dispute sets the money aside until it is won', async () => {
  const { world, charge, view } = await worldWithPaidInvoice();
  const dispute = world.standIn.state.dispute(charge);
  await hear(world);
  expect(await view()).toMatchObject({ status: 'paid', disputedUsd: '100.00', isDisputeLost: false });
  expect(await balances(world)).toEqual({
    cash: '0.00',
    disputed: '100.00',
    receivable: '0.00',
    revenue: '-100.00',
  });
  world.standIn.state.moveDispute(dispute, 'under_review');
  world.standIn.state.moveDispute(dispute, 'won');
  await hear(world);
  expect(await view()).toMatchObject({ status: 'paid', disputedUsd: '0.00' });
  expect(await balances(world)).toEqual({ cash: '100.00', disputed: '0.00', receivable: '0.00', revenue: '-100.00' });
});

test('a lost dispute marks the invoice as uncollected for good', async () => {
  const { world, charge, view } = await worldWithPaidInvoice();
  const dispute = world.standIn.state.dispute(charge);
  world.standIn.state.moveDispute(dispute, 'lost');
  await hear(world);
  expect(await view()).toMatchObject({
    status: 'uncollectible',
    amountDueUsd: '0.00',
    disputedUsd: '100.00',
    isDisputeLost: true,
  });
  expect(await balances(world)).toEqual({
    bad_debt: '100.00',
    cash: '0.00',
    disputed: '0.00',
    receivable: '0.00',
    revenue: '-100.00',
  });
  world.advance(30 * DAY_MS);
  await world.dun();
  await world.send();
  // A late event of the payment changes nothing.
  await reconcilePayments(world.context);
  expect(world.standIn.state.charges).toHaveLength(1);
  expect((await view()).status).toBe('uncollectible');
  expect(await world.standing()).toBe('good');
});

test('ignores inquiries and reversals of foreign charges', async () => {
  const { world, charge, view } = await worldWithPaidInvoice();
  world.standIn.state.dispute(charge, 'warning_needs_response');
  const foreign = { ...charge, id: 'ch_foreign', stripeInvoiceId: 'in_foreign' };
  world.standIn.state.charges.push(foreign);
  world.standIn.state.refund(foreign);
  await hear(world);
  world.advance(HOUR_MS);
  await reconcilePayments(world.context);
  expect(await view()).toMatchObject({ refundedUsd: '0.00', disputedUsd: '0.00' });
  expect(await balances(world)).toEqual({ cash: '100.00', receivable: '0.00', revenue: '-100.00' });
});
