/// <reference lib="dom.iterable" />
// A system that collects money: with a stand-in for Stripe behind it, and what a test of billing needs past the pages.

import { noFaults, type StandInServer, startStandIn } from '@penstock/billing/stripe/testing';
import { createPrismaClient, type Database } from '@penstock/database';
import { newId } from '@penstock/platform';
import { PRICE_BOOKS, type PriceBook } from '@penstock/pricing';
import {
  type Actor,
  createAgentKey,
  finalizeMonth,
  inTransaction,
  type Role,
  readInvoiceSettings,
} from '@penstock/services';
import { run, until } from '../../clients/support/run.ts';
import { startTestSystem, type TestSystem } from '../../clients/support/system.ts';

const actor: Actor = { type: 'system', id: null, label: 'End-to-end tests', source: 'seed' };
const keys = { secretKey: 'sk_test_standin', webhookSecret: 'whsec_standin' };

/** So dear that a few MB of real traffic outrun the credits of a sign-up: $100,000 for a GiB. */
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

  /** @throws Error when the product sent something that Stripe's own library does not declare, or a process died */
  async stop(): Promise<void> {
    await this.#database.$disconnect();
    await this.#system.stop();
    await this.standIn.close();
    const faults = [...this.#system.deaths, ...this.standIn.standIn.violations.map(String)];
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  async organizationOf(clusterId: string): Promise<string> {
    const cluster = await this.#database.virtualCluster.findUniqueOrThrow({ where: { id: clusterId } });
    return cluster.organizationId;
  }

  /** Makes somebody who has signed up a member. */
  async addMember(organizationId: string, email: string, role: Role): Promise<void> {
    const { id: userId } = await this.#database.user.findUniqueOrThrow({ where: { email } });
    await this.#database.member.create({ data: { id: newId(), organizationId, userId, role } });
  }

  /** Sends values through an agent of the cluster, with kcat. */
  async write(organizationId: string, clusterId: string, values: string[]): Promise<void> {
    const { plaintext: agentKey } = await inTransaction(this.#database, (tx) =>
      createAgentKey({ tx, organizationId, actor, now: new Date() }, { clusterId, name: 'Agent of the test' }),
    );
    const agent = await this.#system.startAgent({ clusterId, agentKey });
    await run('kcat', ['-P', '-b', agent.bootstrap, '-t', 'orders'], { input: `${values.join('\n')}\n` });
    await agent.process.stop();
  }

  /** The bytes that the ledger has for an organization. */
  async meteredBytes(organizationId: string): Promise<bigint> {
    const { _sum } = await this.#database.usageHour.aggregate({
      where: { organizationId },
      _sum: { uncompressedBytes: true },
    });
    return _sum.uncompressedBytes ?? 0n;
  }

  /** Closes the running month as the worker does a day after its end, at prices that make small traffic worth an invoice. */
  async closeMonth(organizationId: string): Promise<{ invoiceId: string; number: string }> {
    const today = new Date();
    const month = today.toISOString().slice(0, 7);
    const dayAfterEnd = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 2, 1));
    const settings = readInvoiceSettings({ ...this.#environment, PENSTOCK_EMBEDDED: '1' });
    let issued: { invoiceId: string; number: string } | undefined;
    await until('all usage is counted and the month is closed', async () => {
      const input = { organizationId, month, now: dayAfterEnd, settings, books: dearBooks };
      const closed = await finalizeMonth(this.#database, input);
      if ('invoiceId' in closed) issued = closed;
      return issued !== undefined;
    });
    if (issued === undefined) throw new Error('until() waits for it');
    return issued;
  }
}
