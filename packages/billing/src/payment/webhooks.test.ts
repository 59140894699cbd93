// What the webhook endpoint accepts, stores and acts on.
import { HOUR_MS, MINUTE_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { receiveStripeEvent } from './receive-stripe-event.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { createPaymentWorld, type PaymentWorld } from './testing/payment-world.ts';

const plane = setUpControlPlane();

function eventBody(id: string): string {
  return JSON.stringify({
    id,
    object: 'event',
    type: 'invoice.paid',
    created: 1,
    data: { object: { id: 'in_x', object: 'invoice' } },
  });
}

function receive(world: PaymentWorld, rawBody: string, signatureHeader: string | null): Promise<string> {
  const { database, stripe } = world.context;
  return receiveStripeEvent({ database, stripe }, { rawBody, signatureHeader, now: world.now });
}

describe('a webhook', () => {
  test('that is signed and fresh is stored once', async () => {
    const world = await createPaymentWorld(plane);
    const body = eventBody('evt_once');
    expect(await receive(world, body, world.standIn.sign(body))).toBe('stored');
    expect(await receive(world, body, world.standIn.sign(body))).toBe('known');
    expect(await plane.database.stripeEvent.count({ where: { id: 'evt_once' } })).toBe(1);
  });

  test.each<[string, (world: PaymentWorld, body: string) => [string, string | null]]>([
    ['without a signature', (_world, body) => [body, null]],
    ['with an empty signature', (_world, body) => [body, '']],
    ['with a signature of another secret', (world, body) => [body, world.standIn.sign(body).replace(/v1=../, 'v1=00')]],
    ['whose body was changed by a byte', (world, body) => [`${body} `, world.standIn.sign(body)]],
    [
      'older than five minutes',
      (world, body) => [body, world.standIn.sign(body, Math.floor(world.now.getTime() / 1000) - 301)],
    ],
  ])('%s is refused and not stored', async (what, forge) => {
    const world = await createPaymentWorld(plane);
    const id = `evt_forged${what.length}`;
    const [body, signature] = forge(world, eventBody(id));
    expect(await refusalOf(receive(world, body, signature))).toBe('webhook_signature_invalid');
    expect(await plane.database.stripeEvent.count({ where: { id } })).toBe(0);
  });

  test('replayed after five minutes is refused', async () => {
    const world = await createPaymentWorld(plane);
    const body = eventBody('evt_replayed');
    const signature = world.standIn.sign(body);
    expect(await receive(world, body, signature)).toBe('stored');
    world.advance(6 * MINUTE_MS);
    expect(await refusalOf(receive(world, body, signature))).toBe('webhook_signature_invalid');
  });

  test.each([
    '{',
    '[]',
    'null',
    '{"id":"evt_1"}',
    '{"id":"x","type":"t","created":1,"data":{"object":{"object":"invoice"}}}',
  ])('with a valid signature but body %j is refused as malformed', async (body) => {
    const world = await createPaymentWorld(plane);
    expect(await refusalOf(receive(world, body, world.standIn.sign(body)))).toBe('webhook_malformed');
  });

  test('claiming a payment that Stripe does not show books nothing', async () => {
    const world = await createPaymentWorld(plane);
    await world.addCard();
    const { id } = await world.issueInvoice(['9.00']);
    await plane.database.stripeCall.updateMany({
      where: { subject: `${id}/attempt-1` },
      data: { notBefore: new Date(world.now.getTime() + HOUR_MS) },
    });
    await world.send();
    const [raised] = [...world.standIn.state.invoices.values()];
    const body = JSON.stringify({
      id: `evt_${id.slice(-12)}`,
      object: 'event',
      type: 'invoice.paid',
      created: 1,
      data: { object: { id: raised?.id, object: 'invoice', status: 'paid', amount_paid: 900 } },
    });
    await receive(world, body, world.standIn.sign(body));
    await world.handle();
    expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({ status: 'open' });
    expect(await plane.database.ledgerTransaction.count({ where: { invoiceId: id, kind: 'payment' } })).toBe(0);
  });
});

test('a payment without a webhook is found by the reconciliation', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const { id } = await world.issueInvoice(['9.00']);
  await plane.database.stripeCall.updateMany({
    where: { subject: `${id}/attempt-1` },
    data: { notBefore: new Date(world.now.getTime() + 48 * HOUR_MS) },
  });
  await world.send();
  // The customer pays on Stripe's own page.
  const [raised] = [...world.standIn.state.invoices.values()];
  if (raised !== undefined) {
    world.standIn.state.pay(raised, '');
  }
  world.standIn.takeDue();
  await reconcilePayments(world.context);
  expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({ status: 'paid' });
});
