// What users do around paying: Stripe pages that they open, leave or return from, billing details that they change,
// transfer invoices that they pay by card. With the Stripe stand-in, on a real database.
import { DAY_MS, HOUR_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import type { BillingDetails } from './billing-details-input.ts';
import { getBillingAccount } from './get-billing-account.ts';
import { openPaymentPortal } from './open-payment-portal.ts';
import { payInvoiceByCard } from './pay-invoice-by-card.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { recordTransfer } from './record-transfer.ts';
import { startPaymentSetup } from './start-payment-setup.ts';
import { createPaymentWorld, type PaymentWorld } from './testing/payment-world.ts';
import { updateBillingDetails } from './update-billing-details.ts';

const plane = setUpControlPlane();

const who = (world: PaymentWorld) => ({
  organizationId: world.tenant.organizationId,
  actor: { type: 'user', id: world.tenant.userId, label: 'owner@example.com', source: 'web' } as const,
  now: world.now,
});

const account = (world: PaymentWorld) =>
  world.tenant.run((scope) => getBillingAccount(scope, { isStripeConfigured: true }));

const callsOf = (world: PaymentWorld, operation: string) =>
  plane.database.stripeCall.findMany({
    where: { organizationId: world.tenant.organizationId, operation },
    orderBy: { id: 'asc' },
  });

describe('a Checkout page', () => {
  test('that is left changes nothing, and the next one works', async () => {
    const world = await createPaymentWorld(plane);
    const url = await startPaymentSetup(world.backend, who(world));
    expect(url).toContain('/checkout/');
    const [abandoned] = [...world.standIn.state.sessions.values()];
    expect(abandoned).toMatchObject({
      success_url: expect.stringContaining('/app/billing?setup={CHECKOUT_SESSION_ID}'),
    });
    world.advance(26 * HOUR_MS);
    await world.send();
    await reconcilePayments(world.context);
    expect(await account(world)).toMatchObject({ paymentMethodLabel: null });
    await world.addCard();
    expect(await account(world)).toMatchObject({ paymentMethodLabel: 'Visa ending 4242, expires 12/2034' });
    // One customer, however many pages.
    expect(world.standIn.state.customers.size).toBe(1);
  });

  test('is dropped if Stripe could not open it in time', async () => {
    const world = await createPaymentWorld(plane);
    await startPaymentSetup(world.backend, who(world));
    world.standIn.state.sessions.clear();
    world.standIn.faults = { ...world.standIn.faults, failedBefore: 1 };
    expect(await refusalOf(startPaymentSetup(world.backend, who(world)))).toBe('stripe_unavailable');
    world.standIn.faults = { ...world.standIn.faults, failedBefore: 0 };
    world.advance(HOUR_MS);
    await world.send();
    expect(world.standIn.state.sessions.size).toBe(0);
    expect((await callsOf(world, 'checkout_session.create')).map(({ status }) => status)).toEqual(['done', 'failed']);
  });

  test('completed by a user who never returns is reconciled', async () => {
    const world = await createPaymentWorld(plane);
    await startPaymentSetup(world.backend, who(world));
    const [session] = [...world.standIn.state.sessions.values()];
    if (session === undefined) {
      throw new Error('No page was opened');
    }
    world.standIn.state.completeSession(session, '4242');
    world.standIn.takeDue();
    await reconcilePayments(world.context);
    expect(await account(world)).toMatchObject({ paymentMethodLabel: 'Visa ending 4242, expires 12/2034' });
  });
});

test('applies a changed card on return, with or without a webhook', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  expect(await openPaymentPortal(world.backend, who(world))).toContain('/portal/');
  const [portal] = [...world.standIn.state.portals.values()];
  expect(portal?.return_url).toBe('https://app.penstock.example/app/billing?portal=left');
  const customer = world.standIn.state.customer(portal?.customer ?? '');
  world.standIn.state.setDefaultMethod(customer, world.standIn.state.addPaymentMethod(customer.id, '1881').id);
  world.standIn.takeDue();
  await reconcilePayments(world.context);
  expect(await account(world)).toMatchObject({ paymentMethodLabel: 'Visa ending 1881, expires 12/2034' });
});

describe('billing details', () => {
  const details: BillingDetails = {
    legalName: 'Acme GmbH',
    addressLine1: 'Weg 1',
    addressLine2: null,
    city: 'Berlin',
    state: null,
    postalCode: '10115',
    country: 'DE',
    taxIdType: 'eu_vat',
    taxId: 'DE123456789',
    billingEmail: 'billing@acme.example',
  };
  const update = (world: PaymentWorld, change: Partial<BillingDetails> = {}) =>
    world.tenant.run((scope) => updateBillingDetails(scope, { ...details, ...change }), world.now);

  test('reach Stripe with the customer if entered before a card', async () => {
    const world = await createPaymentWorld(plane);
    await update(world);
    expect(await callsOf(world, 'customer.update')).toEqual([]);
    await world.addCard();
    await world.send();
    const [customer] = [...world.standIn.state.customers.values()];
    expect(customer).toMatchObject({
      name: 'Acme GmbH',
      email: 'billing@acme.example',
      address: { line1: 'Weg 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
    });
    expect([...world.standIn.state.taxIds.values()]).toMatchObject([{ type: 'eu_vat', value: 'DE123456789' }]);
  });

  // The tax id is replaced, and removed when it is cleared.
  test('are updated at Stripe when they change', async () => {
    const world = await createPaymentWorld(plane);
    await world.addCard();
    await update(world);
    await world.send();
    world.advance(HOUR_MS);
    await update(world, { taxId: 'DE999999999', addressLine1: 'Allee 2' });
    await world.send();
    const [customer] = [...world.standIn.state.customers.values()];
    expect(customer).toMatchObject({ address: { line1: 'Allee 2' } });
    expect([...world.standIn.state.taxIds.values()]).toMatchObject([{ value: 'DE999999999' }]);
    world.advance(HOUR_MS);
    await update(world, { taxId: null, taxIdType: null });
    await world.send();
    expect([...world.standIn.state.taxIds.values()]).toEqual([]);
    expect(world.standIn.violations).toEqual([]);
  });

  test('rejected by Stripe are reported until they are corrected', async () => {
    const world = await createPaymentWorld(plane);
    await world.addCard();
    await update(world, { taxId: '!' });
    await world.send();
    expect((await account(world)).detailsProblem).toBe('Invalid value for this type of tax id.');
    world.advance(HOUR_MS);
    await update(world);
    await world.send();
    expect((await account(world)).detailsProblem).toBeNull();
  });
});

describe('an open transfer invoice', () => {
  const pay = (world: PaymentWorld, invoiceId: string) =>
    world.tenant.run(
      (scope) => payInvoiceByCard(scope, { invoiceId }, { isStripeConfigured: true, webUrl: undefined }),
      world.now,
    );

  test('is paid once by a card added later', async () => {
    const world = await createPaymentWorld(plane);
    const { id } = await world.issueInvoice(['80.00', '-5.00'], 'transfer');
    expect(await refusalOf(pay(world, id))).toBe('payment_method_missing');
    await world.addCard();
    await pay(world, id);
    await pay(world, id);
    await world.send();
    await world.send();
    expect(world.standIn.state.charges.map(({ amount }) => amount)).toEqual([7500]);
    expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({
      status: 'paid',
      collection: 'card',
    });
    expect(await refusalOf(pay(world, id))).toBe('invoice_not_open');
    expect(world.standIn.violations).toEqual([]);
  });

  test('is charged minus transfers and restores good standing', async () => {
    const world = await createPaymentWorld(plane);
    const { id, number } = await world.issueInvoice(['120.50'], 'transfer');
    world.advance(60 * DAY_MS);
    await world.dun();
    expect(await world.standing()).toBe('restricted');
    const actor = { type: 'system', id: null, label: 'Operator', source: 'worker' } as const;
    const transfer = { invoiceNumber: number, reference: `bank-${id}`, amountUsd: '20.50' };
    await recordTransfer(plane.database, transfer, { actor, now: world.now });
    await world.addCard();
    await pay(world, id);
    await world.send();
    expect(world.standIn.state.charges.map(({ amount }) => amount)).toEqual([10000]);
    const invoice = await plane.database.invoice.findUniqueOrThrow({ where: { id } });
    expect([invoice.status, invoice.amountPaidUsd.toFixed(2)]).toEqual(['paid', '120.50']);
    expect(await world.standing()).toBe('good');
  });

  test('stays a transfer if it is too small or cards are unavailable', async () => {
    const world = await createPaymentWorld(plane);
    await world.addCard();
    const { id } = await world.issueInvoice(['0.49'], 'transfer');
    expect(await refusalOf(pay(world, id))).toBe('amount_too_small_for_card');
    const none = world.tenant.run((scope) =>
      payInvoiceByCard(scope, { invoiceId: id }, { isStripeConfigured: false, webUrl: undefined }),
    );
    expect(await refusalOf(none)).toBe('card_payment_unavailable');
    expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({ collection: 'transfer' });
  });
});
