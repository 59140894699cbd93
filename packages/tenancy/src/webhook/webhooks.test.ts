// Setting a webhook, its outbox and its signatures, with a receiver that the test plays.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { refusalOf, setUpControlPlane, type TestOrganization, testSecretBox } from '../testing/control-plane.ts';
import { DELIVER_WEBHOOK_ATTEMPTS, deliverWebhook, listWaitingWebhooks } from './deliver-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { sendTestWebhook } from './send-test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';

const plane = setUpControlPlane();
const tools = { policy: { isLoopbackAllowed: true, allowedPorts: [443] }, secretBox: testSecretBox };

let server: Server;
let url: string;
let status: number;
let received: { headers: IncomingHttpHeaders; body: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/a-secret-path`;
});
beforeEach(() => {
  status = 200;
  received = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function setWebhook(tenant: TestOrganization, to: string | null = url) {
  return tenant.run((scope) => updateWebhook(scope, { url: to }, tools));
}

async function queueTest(tenant: TestOrganization): Promise<string> {
  return (await tenant.run(sendTestWebhook)).deliveryId;
}

async function waitingIds(): Promise<string[]> {
  return (await listWaitingWebhooks(plane.worker)).map(({ id }) => id);
}

function deliver(id: string) {
  return deliverWebhook(plane.worker, id, new Date(), tools);
}

test('signs the time and exact bytes with a secret shown once', async () => {
  const tenant = await plane.newTenant();
  const { secret } = await setWebhook(tenant);
  const id = await queueTest(tenant);
  expect(await deliver(id)).toEqual({ end: 'delivered' });
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['penstock-signature'])) ?? [];
  expect(signature).toBe(
    createHmac('sha256', secret ?? '')
      .update(`${at}.${body}`)
      .digest('hex'),
  );
  expect(headers).toMatchObject({ 'penstock-event': 'webhook.test', 'penstock-delivery': id });
  expect(JSON.parse(body)).toMatchObject({ id, type: 'webhook.test', organizationId: tenant.organizationId });
  expect(JSON.stringify(await tenant.run(getWebhook))).not.toContain(secret);
});

test('the secret is stored sealed, bound to its organization', async () => {
  const [tenant, other] = [await plane.newTenant(), await plane.newTenant()];
  const { secret } = await setWebhook(tenant);
  await setWebhook(other);
  const { organizationId } = tenant;
  const account = await plane.database.billingAccount.findUniqueOrThrow({ where: { organizationId } });
  expect(account.webhookSecret).not.toContain(secret);
  // Somebody who can write to the database can't have us sign with another organization's secret.
  const id = await queueTest(other);
  await plane.database.billingAccount.update({
    where: { organizationId: other.organizationId },
    data: { webhookSecret: account.webhookSecret },
  });
  expect(await deliver(id)).toMatchObject({ end: 'failed', reason: 'its signing secret can’t be read' });
  expect(received).toEqual([]);
});

test('a delivered call is not delivered again', async () => {
  const tenant = await plane.newTenant();
  await setWebhook(tenant);
  const id = await queueTest(tenant);
  await deliver(id);
  expect(await waitingIds()).not.toContain(id);
  expect(await deliver(id)).toEqual({ end: 'nothing to do' });
  expect(received).toHaveLength(1);
});

test('retries a failing receiver with the same bytes', async () => {
  const tenant = await plane.newTenant();
  await setWebhook(tenant);
  const id = await queueTest(tenant);
  status = 503;
  for (let attempt = 1; attempt <= DELIVER_WEBHOOK_ATTEMPTS; attempt += 1) {
    expect(await waitingIds()).toContain(id);
    const isGivenUp = attempt === DELIVER_WEBHOOK_ATTEMPTS;
    expect(await deliver(id)).toEqual({ end: 'failed', isGivenUp, attempt, reason: 'it returned 503' });
  }
  expect(await waitingIds()).not.toContain(id);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect((await tenant.run(getWebhook)).deliveries).toMatchObject([
    { id, state: 'given up', attempts: DELIVER_WEBHOOK_ATTEMPTS, lastError: 'it returned 503' },
  ]);
});

test('a recovered receiver gets the calls that were queued', async () => {
  const tenant = await plane.newTenant();
  await setWebhook(tenant);
  const id = await queueTest(tenant);
  status = 500;
  await deliver(id);
  status = 200;
  expect(await deliver(id)).toEqual({ end: 'delivered' });
  expect((await tenant.run(getWebhook)).deliveries).toMatchObject([{ id, state: 'delivered', lastError: null }]);
});

test('a replaced URL is not called, and its secret is replaced', async () => {
  const tenant = await plane.newTenant();
  const first = await setWebhook(tenant);
  const id = await queueTest(tenant);
  const second = await setWebhook(tenant, `${url}/other`);
  expect(second.secret).not.toBe(first.secret);
  expect(await deliver(id)).toMatchObject({ end: 'failed', isGivenUp: true });
  expect(received).toEqual([]);
});

test('audits the host but neither the path nor the secret', async () => {
  const tenant = await plane.newTenant();
  const { secret } = await setWebhook(tenant);
  const rows = JSON.stringify(await plane.auditOf(tenant));
  expect(rows).toContain('billing.update-webhook');
  expect(rows).toContain(new URL(url).host);
  expect(rows).not.toContain('a-secret-path');
  expect(rows).not.toContain(secret);
});

test('limits queued tests and refuses one without a webhook', async () => {
  const tenant = await plane.newTenant();
  expect(await refusalOf(tenant.run(sendTestWebhook))).toBe('webhook_missing');
  await setWebhook(tenant);
  for (let index = 0; index < 3; index += 1) {
    await queueTest(tenant);
  }
  expect(await refusalOf(tenant.run(sendTestWebhook))).toBe('webhook_tests_waiting');
});
