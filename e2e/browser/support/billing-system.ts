/// <reference lib="dom.iterable" />
// A system that collects money through a stand-in for Stripe, and what billing tests need besides the pages.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { finalizeMonth, readInvoiceSettings, runDunning } from '@penstock/billing';
import { noFaults, type StandInServer, startStandIn } from '@penstock/billing/stripe/testing';
import { createAgentKey } from '@penstock/clusters';
import { createPrismaClient, type Database } from '@penstock/database';
import { newId } from '@penstock/platform';
import { PRICE_BOOKS, type PriceBook } from '@penstock/pricing';
import { type Actor, inTransaction, type Role } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { pinnedNode, root } from '../../../infra/local/paths.ts';
import { run, until } from '../../clients/support/run.ts';
import { startTestSystem, type TestSystem } from '../../clients/support/system.ts';

const actor: Actor = { type: 'system', id: null, label: 'End-to-end tests', source: 'seed' };
const keys = { secretKey: 'sk_test_standin', webhookSecret: 'whsec_standin' };

/** $100,000 per GiB, so that a few MB of real traffic exceed the sign-up credits. */
const dearBooks: PriceBook[] = PRICE_BOOKS.map((book) => ({
  ...book,
  writes: [{ upToGib: null, usdPerGib: '100000' }],
}));

export class BillingSystem {
  readonly standIn: StandInServer;
  readonly #system: TestSystem;
  readonly #database: Database;
  readonly #environment: Record<string, string>;

  private constructor(standIn: StandInServer, system: TestSystem, environment: Record<string, string>) {
    this.standIn = standIn;
    this.#system = system;
    this.#environment = environment;
    this.#database = createPrismaClient(system.databaseUrl, 2);
  }

  static async start(): Promise<BillingSystem> {
    const standIn = await startStandIn({ ...keys, clock: () => new Date(), seed: 1, faults: noFaults });
    const environment = {
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STRIPE_API_BASE: standIn.url,
    };
    const system = await startTestSystem({
      hasWeb: true,
      hasWorker: true,
      agents: [],
      controlPlaneEnv: environment,
    });
    standIn.sendWebhooksTo(`${system.webUrl}/api/stripe/webhook`);
    return new BillingSystem(standIn, system, environment);
  }

  get webUrl(): string {
    return this.#system.webUrl ?? '';
  }

  /** @throws Error when the product sent a parameter that Stripe's own library does not declare, or a process died */
  async stop(): Promise<void> {
    await this.#database.$disconnect();
    await this.#system.stop();
    await this.standIn.close();
    const faults = [...this.#system.deaths, ...this.standIn.standIn.violations.map(String)];
    if (faults.length > 0) {
      throw new Error(faults.join('\n'));
    }
  }

  async organizationOf(clusterId: string): Promise<string> {
    const cluster = await this.#database.virtualCluster.findUniqueOrThrow({ where: { id: clusterId } });
    return cluster.organizationId;
  }

  /** Makes all sign-ins an hour old, so that they no longer count as a proof of identity. */
  async ageSessions(): Promise<void> {
    await this.#database.$executeRaw`UPDATE session SET created_at = now() - interval '1 hour', confirmed_at = NULL`;
  }

  /** Makes a signed-up user a member. */
  async addMember(organizationId: string, email: string, role: Role): Promise<void> {
    const { id: userId } = await this.#database.user.findUniqueOrThrow({ where: { email } });
    await this.#database.member.create({ data: { id: newId(), organizationId, userId, role } });
  }

  /** Produces values through an agent of the cluster, with kcat. */
  async write(organizationId: string, clusterId: string, values: string[]): Promise<void> {
    const { plaintext: agentKey } = await inTransaction(this.#database, (tx) =>
      createAgentKey({ tx, organizationId, actor, now: new Date() }, { clusterId, name: 'Agent of the test' }),
    );
    const agent = await this.#system.startAgent({ clusterId, agentKey });
    await run('kcat', ['-P', '-b', agent.bootstrap, '-t', 'orders'], { input: `${values.join('\n')}\n` });
    await agent.process.stop();
  }

  /** Runs an operator's command against this system, e.g. `billing credit-note`. */
  async operate(command: string, ...parameters: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(
      pinnedNode,
      [join(root, 'infra/local/admin.ts'), ...command.split(' '), ...parameters],
      { env: { ...process.env, DATABASE_URL: this.#system.databaseUrl } },
    );
    return stdout;
  }

  /** An invoice from last year by transfer, two weeks overdue: the worker derives the rest. */
  async addOverdueInvoice(organizationId: string, totalUsd: string): Promise<{ invoiceId: string; number: string }> {
    const id = newId();
    const party = { name: 'Penstock', address: [], email: null, taxId: null };
    const number = `PS-${id.slice(-12)}`;
    const dueAt = new Date(Date.now() - 15 * DAY_MS);
    await this.#database.invoice.create({
      data: {
        id,
        organizationId,
        number,
        kind: 'invoice',
        periodStart: new Date('2025-10-01'),
        periodEnd: new Date('2025-11-01'),
        subtotalUsd: totalUsd,
        creditUsd: '0',
        totalUsd,
        billedTo: party,
        billedBy: party,
        collection: 'transfer',
        status: 'open',
        finalizedAt: dueAt,
        dueAt,
        lines: { create: { position: 1, product: 'writes', description: 'Writes of last year', amountUsd: totalUsd } },
      },
    });
    const postings = [
      { position: 1, organizationId, account: 'receivable', amountUsd: totalUsd },
      { position: 2, organizationId, account: 'revenue', amountUsd: `-${totalUsd}` },
    ];
    await this.#database.ledgerTransaction.create({
      data: {
        id: newId(),
        organizationId,
        kind: 'invoice',
        reference: `invoice:${id}`,
        description: number,
        invoiceId: id,
        at: dueAt,
        postings: { create: postings },
      },
    });
    const options = { now: new Date(), isStripeConfigured: true, webUrl: this.webUrl };
    await runDunning(this.#database, options);
    return { invoiceId: id, number };
  }

  /** Refuses writes until the worker's next check, as the worker does when the cap is reached. */
  async reachCap(organizationId: string): Promise<void> {
    const today = new Date();
    const cappedMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1));
    await this.#database.billingAccount.update({
      where: { organizationId },
      data: { capUsd: '1', cappedMonth, writesRefusedReason: 'The spending cap is reached.' },
    });
  }

  /** The bytes in the ledger of an organization. */
  async meteredBytes(organizationId: string): Promise<bigint> {
    const { _sum } = await this.#database.usageHour.aggregate({
      where: { organizationId },
      _sum: { uncompressedBytes: true },
    });
    return _sum.uncompressedBytes ?? 0n;
  }

  /** Closes the current month as the worker does a day after its end, at prices that make small traffic worth an invoice. */
  async closeMonth(organizationId: string): Promise<{ invoiceId: string; number: string }> {
    const today = new Date();
    const month = today.toISOString().slice(0, 7);
    const dayAfterEnd = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 2, 1));
    const settings = readInvoiceSettings({ ...this.#environment, PENSTOCK_EMBEDDED: '1' });
    let issued: { invoiceId: string; number: string } | undefined;
    await until('all usage is counted and the month is closed', async () => {
      const input = { organizationId, month, now: dayAfterEnd, settings, books: dearBooks };
      const closed = await finalizeMonth(this.#database, input);
      if ('invoiceId' in closed) {
        issued = closed;
      }
      return issued !== undefined;
    });
    if (issued === undefined) {
      throw new Error('until() waits for it');
    }
    return issued;
  }
}
