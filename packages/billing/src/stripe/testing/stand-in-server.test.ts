// The stand-in over HTTP with the official library, and its pages as a user clicks through them.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStripe } from '../stripe-gateway.ts';
import { noFaults } from './stand-in.ts';
import { type StandInServer, startStandIn } from './stand-in-server.ts';

const SECRET_KEY = 'sk_test_standin';
const WEBHOOK_SECRET = 'whsec_standin';
let server: StandInServer;

beforeEach(async () => {
  server = await startStandIn({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, clock: () => new Date() });
});
afterEach(() => server.close());

const context = { key: 'key-1', organizationId: 'org', stripeCustomerId: null, stripeInvoiceId: null };
const details = {
  name: 'Acme',
  email: null,
  address: { line1: null, line2: null, city: null, state: null, postalCode: null, country: null },
};

test('reports a card entered on the Checkout page by a webhook', async () => {
  const received: { body: string; signature: string | undefined }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ body, signature: request.headers['stripe-signature']?.toString() });
      response.end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  server.sendWebhooksTo(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);

  const stripe = openStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: server.url });
  const customer = await stripe.send('customer.create', details, context);
  const withCustomer = { ...context, key: 'key-2', stripeCustomerId: customer.resultId };
  const urls = { successUrl: 'http://app.invalid/done?s={CHECKOUT_SESSION_ID}', cancelUrl: 'http://app.invalid/back' };
  const session = await stripe.send('checkout_session.create', urls, withCustomer);
  const page = await fetch(session.url ?? '');
  expect(await page.text()).toContain('Save card');
  const saved = await fetch(session.url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ card: '4242' }),
    redirect: 'manual',
  });
  expect(saved.headers.get('location')).toBe(`http://app.invalid/done?s=${session.resultId}`);
  expect(await stripe.readSetup(session.resultId)).toMatchObject({ stripeCustomerId: customer.resultId });

  // Other webhooks may come before it, because they are not ordered.
  const types = () =>
    received.map(({ body, signature }) => stripe.readWebhook(body, signature ?? null, new Date()).type);
  await expect.poll(types).toContain('checkout.session.completed');
  expect(server.standIn.violations).toEqual([]);
  receiver.close();
});

test('sends nothing of a call that lacks an id it needs', async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    sent += 1;
    response.writeHead(500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stripe = openStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase });
  const invoiceId = randomUUID();
  const refused = { name: 'StripeRefusal', code: 'missing_id' };
  const invoice = { invoiceId, number: 'A-1', description: 'November' };
  await expect(stripe.findEffect('invoice.create', invoice, context)).rejects.toMatchObject(refused);
  await expect(stripe.send('invoice.create', invoice, context)).rejects.toMatchObject(refused);
  const withCustomer = { ...context, stripeCustomerId: 'cus_1' };
  await expect(stripe.send('invoice.pay', { invoiceId }, withCustomer)).rejects.toMatchObject(refused);
  expect(sent).toBe(0);
  server.close();
});

test('answers 400 to undeclared requests and records them', async () => {
  const answer = await fetch(`${server.url}/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET_KEY}` },
    body: 'nickname=x',
  });
  expect(answer.status).toBe(400);
  expect(server.standIn.violations).toEqual(['POST /v1/customers: nickname is not declared']);
});

test('repeats its first answer after a broken connection', async () => {
  const stripe = openStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: server.url });
  server.standIn.faults = { ...noFaults, answerLost: 1 };
  await expect(stripe.send('customer.create', details, context)).rejects.toMatchObject({ name: 'StripeUnavailable' });
  server.standIn.faults = noFaults;
  const { resultId } = await stripe.send('customer.create', details, context);
  expect([...server.standIn.state.customers.keys()]).toEqual([resultId]);
});
