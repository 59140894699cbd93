// Delivery of webhooks from the outbox to a receiver that the test plays.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readInvoiceSettings } from '@penstock/billing';
import { createPrismaClient, type Database } from '@penstock/database';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { cellUrls, createSecretBox, type RootSecrets } from '@penstock/platform';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningWorker, startWorker } from './worker.ts';

const secrets: RootSecrets = [{ id: 0, secret: 'a root secret of the tests, of 32 characters' }];

let testDatabase: TestDatabase;
let database: Database;
let worker: RunningWorker;
let server: Server;
let url: string;
const bodies: string[] = [];
const waiting: (() => void)[] = [];
/** Statuses of the next responses; 200 after the last one. */
const answers: number[] = [];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createPrismaClient(testDatabase.url);
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(answers.shift() ?? 200).end();
      for (const wake of waiting.splice(0)) {
        wake();
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  await database.organization.create({ data: { id: 'org', name: 'Acme', slug: 'acme' } });
  const place = { column: 'billing_account.webhook_secret', row: 'org' };
  const webhookSecret = createSecretBox(secrets).seal(place, 'whsec_x');
  await database.billingAccount.create({ data: { organizationId: 'org', webhookUrl: url, webhookSecret } });
  worker = await startWorker({
    ...{
      databaseUrl: testDatabase.url,
      cells: cellUrls(testDatabase.url, {}),
      isEmbedded: true,
      outbound: { isLoopbackAllowed: true, allowedPorts: [443] },
      webUrl: undefined,
      secrets,
      invoices: readInvoiceSettings({}),
      stripe: undefined,
      host: undefined,
      drainSeconds: 0,
      metricsToken: undefined,
      logLevel: 'silent',
    },
    ...{ port: undefined, smtp: undefined },
  });
});
afterAll(async () => {
  await worker.close();
  server.closeAllConnections();
  server.close();
  await database.$disconnect();
  await testDatabase.drop();
});

async function received(count: number): Promise<void> {
  while (bodies.length < count) {
    await new Promise<void>((wake) => waiting.push(wake));
  }
}

test('the budget check sends queued calls and retries failed ones', async () => {
  answers.push(500);
  const id = '01a1fd75-05ad-70d3-be6b-700718a64c38';
  await database.webhookDelivery.create({
    data: { id, organizationId: 'org', url, event: 'webhook.test', body: '{}' },
  });
  const client = new Client({ connectionString: testDatabase.url });
  await client.connect();
  await client.query(`SELECT graphile_worker.add_job('check-budgets')`);
  await client.end();
  await received(2);
  expect(bodies).toEqual(['{}', '{}']);
  const delivery = () => database.webhookDelivery.findUniqueOrThrow({ where: { id } });
  await expect.poll(async () => (await delivery()).deliveredAt).toBeInstanceOf(Date);
  expect((await delivery()).attempts).toBe(2);
});
