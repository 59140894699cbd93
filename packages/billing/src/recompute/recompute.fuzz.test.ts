// Whatever clusters wrote, and wherever their journals were folded and cut: the bill, its exported CSV, the charts of usage and the bill
// recomputed from the journal agree to the byte, the minute and the cent, and a change of the ledger is noticed.
import { randomUUID } from 'node:crypto';
import { createPrismaClient, type Database } from '@penstock/database/client';
import { usd } from '@penstock/pricing';
import { type Actor, inTenant, type Scope } from '@penstock/tenancy';
import { hostileText, readCsvRecords, runFuzz } from '@penstock/testing/fuzz';
import { MINUTE_MS } from '@penstock/units';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportInvoice } from '../invoice/export-invoice.ts';
import { finalizeMonth } from '../invoice/finalize-month.ts';
import { getMonthByDay } from '../invoice/get-month-by-day.ts';
import { settings } from '../invoice/testing/billing-settings.ts';
import { auditedCents, centsOf, type Exported } from '../invoice/testing/exported-lines.ts';
import { foldBounds, foldJournal } from '../metering/fold-journal.ts';
import { entryOf, setUpJournals } from '../metering/testing/journal-fixture.ts';
import { billingMonth } from '../rating/billing-month.ts';
import { getMonthToDate } from '../usage/get-month-to-date.ts';
import { CannotRecompute } from './cannot-recompute.ts';
import { type RecomputedBill, recomputeBill } from './recompute-bill.ts';
import { foldedClusters, MONTH } from './testing/folded-clusters.ts';

const journals = setUpJournals();
const { cut } = foldedClusters(journals);
const month = billingMonth(MONTH);
const actor: Actor = { type: 'system', id: null, label: 'Test', source: 'worker' };
const MONTH_MINUTES = (month.endMs - month.startMs) / MINUTE_MS;

let database: Database;
let client: Client;

beforeAll(async () => {
  database = createPrismaClient(journals.databaseUrl, 2);
  client = new Client({ connectionString: journals.databaseUrl });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.$disconnect();
});

interface Entry {
  /** From the month's start on; before it if negative. */
  minute: number;
  mode: 'dev' | 'standard' | 'low-latency' | null;
  files: number;
  uncompressedBytes: number;
}

interface Journal {
  name: string;
  entries: Entry[];
  foldedAtOnce: number;
  /** How many of its first entries are cut off, once all are folded. */
  cutEntries: number;
}

const minute = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: MONTH_MINUTES - 1 }) },
  { weight: 2, arbitrary: fc.constantFrom(-1, 0, MONTH_MINUTES - 1, MONTH_MINUTES) },
  { weight: 1, arbitrary: fc.integer({ min: -1_500, max: MONTH_MINUTES + 600 }) },
);
const bytes = fc.oneof(
  fc.constantFrom(1, 2 ** 30, 2 ** 30 - 1, 2 ** 43, 2 ** 52),
  fc.nat({ max: 2 ** 31 - 1 }).map((count) => count * 2 ** 13),
);
const entry: fc.Arbitrary<Entry> = fc.record({
  minute,
  mode: fc.constantFrom('dev', 'standard', 'low-latency', null),
  files: fc.nat(2),
  uncompressedBytes: bytes,
});
/** As PostgreSQL stores it, and unlike the names of the other clusters. */
const name = fc
  .tuple(hostileText(40), fc.uuid())
  .map(([text, id]) => `${text.replaceAll('\0', '').toWellFormed()}${id}`);
const journal: fc.Arbitrary<Journal> = fc.record({
  name,
  entries: fc
    .array(entry, { maxLength: 25 })
    .map((entries) => entries.toSorted((left, right) => left.minute - right.minute)),
  foldedAtOnce: fc.integer({ min: 1, max: 30 }),
  cutEntries: fc.nat(25),
});

function encoded({ minute, mode, files, uncompressedBytes }: Entry): Uint8Array {
  return entryOf(month.startMs + minute * MINUTE_MS, {
    files,
    uncompressedBytes: files === 0 ? 0 : uncompressedBytes,
    storedBytes: files,
    records: files,
    clusterMinutes: mode === null ? 0 : 1,
    devMinutes: mode === 'dev' ? 1 : 0,
    lowLatencyMinutes: mode === 'low-latency' ? 1 : 0,
  });
}

async function newOrganization(written: readonly Journal[]): Promise<string> {
  const organizationId = `org-${randomUUID()}`;
  await journals.pool.query('INSERT INTO organization (id, name, slug) VALUES ($1, $1, $1)', [organizationId]);
  for (const { name, entries, foldedAtOnce, cutEntries } of written) {
    const clusterId = randomUUID();
    await journals.pool.query(
      `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, $2, $3, 'aws', 'x', now())`,
      [clusterId, organizationId, name],
    );
    await journals.appendAll(clusterId, entries.map(encoded));
    await journals.pool.query('UPDATE metadata_journal SET organization_id = $2 WHERE cluster_id = $1', [
      clusterId,
      organizationId,
    ]);
    const bounds = { ...foldBounds, entries: foldedAtOnce };
    while (!(await foldJournal(journals.metering, journals.cells, clusterId, { bounds })).isCaughtUp) {}
    if (Math.min(cutEntries, entries.length) > 0) {
      await cut(clusterId, Math.min(cutEntries, entries.length));
    }
  }
  return organizationId;
}

function inScope<T>(organizationId: string, now: Date, work: (scope: Scope) => Promise<T>): Promise<T> {
  return inTenant(database, organizationId, (tx) => work({ tx, organizationId, now, actor }));
}

async function exportedLines(organizationId: string, invoice: string): Promise<Exported[]> {
  const file = await inScope(organizationId, new Date(month.endMs), (scope) =>
    exportInvoice(scope, { invoice, month: MONTH, format: 'csv' }, settings),
  );
  return readCsvRecords(new TextDecoder().decode(file.bytes)) as unknown as Exported[];
}

/** The usage on a bill, without the lines below one cent, which an invoice leaves out. */
function billed({ lines }: RecomputedBill): string[][] {
  return lines
    .filter(({ amountUsd }) => !amountUsd.isZero())
    .map(({ clusterId, product, mode, tier, quantity, amountUsd }) => [
      clusterId,
      product,
      mode ?? String(tier),
      String(quantity),
      amountUsd.toFixed(2),
    ]);
}

function billedIn(lines: readonly Exported[]): string[][] {
  return lines
    .filter(({ product }) => product !== 'credit')
    .map((line) => [
      line.cluster_id,
      line.product,
      line.mode === '' ? line.tier : line.mode,
      line.unit === 'GiB' ? line.quantity_bytes : line.quantity,
      line.amount_usd,
    ]);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

/** Compares the month's usage in every form with what was written. */
async function checkUsage(organizationId: string, inMonth: readonly Entry[], bill: RecomputedBill): Promise<void> {
  const writtenBytes = sum(
    inMonth.map(({ files, uncompressedBytes }) => (files === 0 ? 0n : BigInt(uncompressedBytes))),
  );
  const minutes = BigInt(inMonth.filter(({ mode }) => mode !== null).length);
  const quantityOf = (wanted: string): bigint =>
    sum(bill.lines.filter(({ product }) => product === wanted).map(({ quantity }) => quantity));
  expect([quantityOf('writes'), quantityOf('cluster_minutes')]).toEqual([writtenBytes, minutes]);
  const end = new Date(month.endMs - 1);
  const usage = await inScope(organizationId, end, (scope) => getMonthToDate(scope, {}));
  expect([usage.uncompressedBytes, BigInt(usage.clusterMinutes)]).toEqual([writtenBytes, minutes]);
  const chart = await inScope(organizationId, end, (scope) => getMonthByDay(scope, { month: MONTH }));
  expect(sum(chart.clusters.flatMap(({ writtenBytes: daily }) => daily))).toBe(writtenBytes);
  // The bill rounds each line to a cent.
  const roundedUsd = Math.abs(Number(bill.usageUsd.minus(usd(chart.totalUsd)).toFixed()));
  expect(roundedUsd).toBeLessThanOrEqual(0.005 * bill.lines.length + 1e-6);
}

test('bill, exported CSV, usage and recomputed bill agree', async () => {
  const property = fc.asyncProperty(fc.array(journal, { minLength: 1, maxLength: 3 }), async (written) => {
    const organizationId = await newOrganization(written);
    const recompute = (): Promise<RecomputedBill> =>
      recomputeBill(client, { organization: organizationId, month: MONTH });
    const inMonth = written
      .flatMap(({ entries }) => entries)
      .filter(({ minute }) => minute >= 0 && minute < MONTH_MINUTES);

    const before = await recompute();
    expect(before).toMatchObject({ isEqual: true, invoiceNumber: null, hourDifferences: [] });
    await checkUsage(organizationId, inMonth, before);
    const draft = await exportedLines(organizationId, 'draft');
    expect(billedIn(draft)).toEqual(billed(before));

    const now = new Date(month.endMs + 25 * 60 * MINUTE_MS);
    // Months are closed in order.
    const october = await finalizeMonth(database, { organizationId, month: '2026-10', now, settings });
    expect(['issued', 'nothing to bill']).toContain(october.outcome);
    const issued = await finalizeMonth(database, { organizationId, month: MONTH, now, settings });
    if (issued.outcome !== 'issued') {
      expect([issued.outcome, before.hours]).toEqual(['nothing to bill', 0]);
      return;
    }
    const after = await recompute();
    expect(after).toMatchObject({ isEqual: true, invoiceNumber: issued.number, isSealBroken: false });
    const lines = await exportedLines(organizationId, issued.invoiceId);
    expect(lines.map(({ invoice: _, ...line }) => line)).toEqual(draft.map(({ invoice: _, ...line }) => line));
    expect(billedIn(lines)).toEqual(billed(after));
    for (const line of lines.filter(({ product }) => product !== 'credit')) {
      expect(auditedCents(line)).toBe(centsOf(line.amount_usd));
    }
    const { rows } = await journals.pool.query<{ total_usd: string }>('SELECT total_usd FROM invoice WHERE id = $1', [
      issued.invoiceId,
    ]);
    expect(sum(lines.map(({ amount_usd: amountUsd }) => centsOf(amountUsd)))).toBe(
      centsOf(Number(rows[0]?.total_usd).toFixed(2)),
    );

    await journals.pool.query(
      `UPDATE usage_hour SET uncompressed_bytes = uncompressed_bytes + 1 WHERE (cluster_id, hour) IN (
         SELECT cluster_id, hour FROM usage_hour WHERE organization_id = $1 AND hour >= $2 AND hour < $3 ORDER BY random() LIMIT 1)`,
      [organizationId, new Date(month.startMs), new Date(month.endMs)],
    );
    expect(await recompute()).toMatchObject({ isEqual: false, hourDifferences: [{ figure: 'uncompressedBytes' }] });
  });
  await runFuzz('billing', 'recompute', 8, property);
}, 60_000);

test('a bill that cannot be recomputed gets a reason', async () => {
  const text = hostileText(60).map((made) => made.replaceAll('\0', ''));
  const inputs = fc.oneof(
    fc.record({ organization: text, month: fc.constant(MONTH) }),
    fc.record({ organization: fc.constant('org'), month: text }),
  );
  const property = fc.asyncProperty(inputs, async (input) => {
    const outcome = await recomputeBill(client, input).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(CannotRecompute);
  });
  await runFuzz('billing', 'recompute-inputs', 150, property);
});
