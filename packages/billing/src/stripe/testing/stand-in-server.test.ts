// The stand-in over HTTP with the official library, and its pages as a user clicks through them.
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

const context = { key: 'key-1', organizationId: 'org', stripeCustomerId: '', stripeInvoiceId: '' };
const details = {
  name: 'Acme',
  email: null,
  address: { line1: null, line2: null, city: null, state: null, postalCode: null, country: null },
};

test('a card entered on the Checkout page is reported by a signed webhook and can be read', async () => {
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

test('a request that the library does not declare is answered with 400 and recorded', async () => {
  const answer = await fetch(`${server.url}/v1/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET_KEY}` },
    body: 'nickname=x',
  });
  expect(answer.status).toBe(400);
  expect(server.standIn.violations).toEqual(['POST /v1/customers: nickname is not declared']);
});

test('a lost answer reaches the product as a broken connection, and the retry returns the first answer', async () => {
  const stripe = openStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: server.url });
  server.standIn.faults = { ...noFaults, answerLost: 1 };
  await expect(stripe.send('customer.create', details, context)).rejects.toMatchObject({ name: 'StripeUnavailable' });
  server.standIn.faults = noFaults;
  const { resultId } = await stripe.send('customer.create', details, context);
  expect([...server.standIn.state.customers.keys()]).toEqual([resultId]);
});
