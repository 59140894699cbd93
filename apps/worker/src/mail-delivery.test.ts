// Delivery of mails from the outbox to an SMTP server that the test plays.
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { readInvoiceSettings } from '@penstock/billing';
import { createPrismaClient, type Database } from '@penstock/database';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { cellUrls } from '@penstock/platform';
import { inTransaction, queueMail } from '@penstock/tenancy';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type RunningWorker, startWorker } from './worker.ts';

/** Implements as much SMTP as the client needs. Refuses the first `refusals` mails, like a busy server. */
class SmtpServer {
  readonly mails: string[] = [];
  refusals = 0;
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #waiting: (() => void)[] = [];

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }

  async received(count: number): Promise<string[]> {
    while (this.mails.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.mails;
  }

  #serve(socket: Socket): void {
    let text = '';
    let isData = false;
    const reply = (line: string) => socket.write(`${line}\r\n`);
    reply('220 test');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString();
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) {
          return;
        }
        const part = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          reply(this.#take(part));
        } else if (/^DATA/i.test(part)) {
          isData = true;
          reply('354 go on');
        } else {
          reply(/^QUIT/i.test(part) ? '221 bye' : '250 ok');
        }
      }
    });
  }

  #take(mail: string): string {
    if (this.refusals > 0) {
      this.refusals -= 1;
      return '451 busy, come back later';
    }
    this.mails.push(mail);
    for (const wake of this.#waiting.splice(0)) {
      wake();
    }
    return '250 taken';
  }
}

let testDatabase: TestDatabase;
let database: Database;
let worker: RunningWorker | undefined;
let smtp: SmtpServer;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createPrismaClient(testDatabase.url);
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
  smtp.close();
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});

async function start(): Promise<void> {
  smtp = new SmtpServer();
  worker = await startWorker({
    databaseUrl: testDatabase.url,
    cells: cellUrls(testDatabase.url, {}),
    isEmbedded: false,
    outbound: { isLoopbackAllowed: false, allowedPorts: [443] },
    webUrl: undefined,
    secrets: [{ id: 0, secret: 'a root secret of the tests, of 32 characters' }],
    invoices: readInvoiceSettings({}),
    stripe: undefined,
    logLevel: 'silent',
    port: undefined,
    host: undefined,
    drainSeconds: 0,
    metricsToken: undefined,
    smtp: { url: await smtp.start(), from: 'Penstock <no-reply@example.com>' },
  });
}

function queue(to: string): Promise<void> {
  const mail = { to, subject: 'Hello', text: `A link for ${to}`, link: null };
  return inTransaction(database, (tx) => queueMail(tx, mail, new Date()));
}

async function sentAtOf(to: string): Promise<Date | null | undefined> {
  return (await database.mail.findFirst({ where: { toAddress: to } }))?.sentAt;
}

test('sends a mail on commit, then deletes its text', async () => {
  await start();
  await queue('first@example.com');
  const [mail] = await smtp.received(1);
  expect(mail).toMatch(/^To: first@example\.com$/m);
  expect(mail).toContain('A link for first@example.com');
  await worker?.close();
  worker = undefined;
  expect(await sentAtOf('first@example.com')).toBeInstanceOf(Date);
  expect((await database.mail.findFirstOrThrow({ where: { toAddress: 'first@example.com' } })).text).toBe('');
});

test('a busy server gets the same mail again later', async () => {
  await start();
  smtp.refusals = 1;
  await queue('second@example.com');
  const [mail] = await smtp.received(1);
  expect(mail).toContain('A link for second@example.com');
});

test('shutdown waits for the mail being sent', async () => {
  await start();
  await queue('third@example.com');
  await smtp.received(1);
  await worker?.close();
  worker = undefined;
  expect(await sentAtOf('third@example.com')).toBeInstanceOf(Date);
});
