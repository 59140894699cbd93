// Reads an organization's month from the database: its clusters, the ledger's hours, the invoice.
import { type Usd, usd, ZERO_USD } from '@penstock/pricing';
import type { ClientBase } from 'pg';
import type { UnbilledHour } from '../hold/billable-hours.ts';
import type { BillingMonth } from '../rating/billing-month.ts';
import type { RatedLine, RatedProduct } from '../rating/rate-month.ts';
import { CannotRecompute } from './cannot-recompute.ts';
import type { Invoiced, InvoicedLine, LedgerHour } from './compare-bills.ts';

/** @param idOrSlug as entered by the operator */
export async function readOrganization(client: ClientBase, idOrSlug: string): Promise<{ id: string; name: string }> {
  const { rows } = await client.query<{ id: string; name: string }>(
    'SELECT id, name FROM organization WHERE id = $1 OR slug = $1 ORDER BY id = $1 DESC LIMIT 1',
    [idOrSlug],
  );
  const [row] = rows;
  if (row !== undefined) {
    return row;
  }
  throw new CannotRecompute(
    `There is no organization with the id or slug ${idOrSlug}.`,
    'The slug stands in the address of its dashboard; `SELECT id, slug FROM organization` lists them.',
  );
}

/** All clusters that the organization ever had, by name. A purged one has the name in its audit row, or its id. */
export async function readClusters(client: ClientBase, organizationId: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; name: string | null }>(
    `WITH known AS (
       SELECT id FROM virtual_cluster WHERE organization_id = $1
       UNION SELECT cluster_id FROM usage_hour WHERE organization_id = $1
       UNION SELECT target_id::uuid FROM audit_log WHERE organization_id = $1 AND target_type = 'cluster'
         AND target_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
     )
     SELECT known.id, coalesce(c.name, (
       SELECT a.before ->> 'name' FROM audit_log a
       WHERE a.organization_id = $1 AND a.action = 'cluster.purge' AND a.target_id = known.id::text LIMIT 1
     )) AS name
     FROM known LEFT JOIN virtual_cluster c ON c.id = known.id ORDER BY known.id`,
    [organizationId],
  );
  return new Map(rows.map(({ id, name }) => [id, name ?? id]));
}

interface LedgerHourRow {
  cluster_id: string;
  hour: Date;
  uncompressed_bytes: string;
  stored_bytes: string;
  records: string;
  files: string;
  cluster_minutes: number;
  dev_minutes: number;
  low_latency_minutes: number;
  first_seq: string;
  last_seq: string;
}

export async function readLedger(
  client: ClientBase,
  organizationId: string,
  { startMs, endMs }: BillingMonth,
): Promise<LedgerHour[]> {
  const { rows } = await client.query<LedgerHourRow>(
    `SELECT cluster_id, hour, uncompressed_bytes, stored_bytes, records, files, cluster_minutes, dev_minutes, low_latency_minutes,
       first_seq, last_seq
     FROM usage_hour WHERE organization_id = $1 AND hour >= $2 AND hour < $3 ORDER BY hour, cluster_id`,
    [organizationId, new Date(startMs), new Date(endMs)],
  );
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    hourMs: row.hour.getTime(),
    uncompressedBytes: BigInt(row.uncompressed_bytes),
    storedBytes: BigInt(row.stored_bytes),
    records: BigInt(row.records),
    files: BigInt(row.files),
    clusterMinutes: row.cluster_minutes,
    devMinutes: row.dev_minutes,
    lowLatencyMinutes: row.low_latency_minutes,
    firstSeq: BigInt(row.first_seq),
    lastSeq: BigInt(row.last_seq),
  }));
}

/**
 * Hours whose writes the bill leaves out: held and waived ones, and those that were released after the invoice and wait
 * for the next one.
 */
export async function readUnbilled(
  client: ClientBase,
  organizationId: string,
  { startMs, endMs }: BillingMonth,
): Promise<UnbilledHour[]> {
  const { rows } = await client.query<{ cluster_id: string; hour: Date; status: string }>(
    `SELECT h.cluster_id, h.hour, h.status FROM usage_hold h
     LEFT JOIN invoice i ON i.organization_id = h.organization_id AND i.kind = 'invoice'
       AND i.period_start = ($2::timestamptz AT TIME ZONE 'UTC')::date
     WHERE h.organization_id = $1 AND h.hour >= $2 AND h.hour < $3
       AND (h.status <> 'released' OR (h.reviewed_at > i.finalized_at AND EXISTS (
         SELECT FROM late_usage l WHERE l.organization_id = h.organization_id AND l.month = i.period_start)))`,
    [organizationId, new Date(startMs), new Date(endMs)],
  );
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    hourMs: row.hour.getTime(),
    isHeld: row.status === 'held',
  }));
}

interface LineRow {
  cluster_id: string;
  product: RatedProduct;
  mode: RatedLine['mode'];
  tier: number | null;
  price_book_id: string;
  quantity: string;
  amount_usd: string;
}

interface InvoiceRow {
  id: string;
  number: string;
  seal: string | null;
  seal_now: string;
  meter_heads: { clusterId: string; seq: string; hash: string }[];
}

/** The invoice that closed the month; undefined while it is open. */
export async function readInvoiced(
  client: ClientBase,
  organizationId: string,
  { startMs, endMs }: BillingMonth,
): Promise<Invoiced | undefined> {
  const period = [organizationId, new Date(startMs), new Date(endMs)];
  const invoices = await client.query<InvoiceRow>(
    `SELECT id, number, seal, invoice_seal(id) AS seal_now, meter_heads FROM invoice WHERE organization_id = $1 AND kind = 'invoice'
       AND period_start = ($2::timestamptz AT TIME ZONE 'UTC')::date`,
    period.slice(0, 2),
  );
  const [invoice] = invoices.rows;
  if (invoice === undefined) {
    return undefined;
  }
  const lines = await client.query<LineRow>(
    `SELECT cluster_id, product, mode, tier, price_book_id, quantity, amount_usd FROM invoice_line
     WHERE invoice_id = $1 AND product IN ('writes', 'cluster_minutes') ORDER BY position`,
    [invoice.id],
  );
  const corrections = await client.query<{ cluster_id: string; amount_usd: string }>(
    `SELECT l.cluster_id, l.amount_usd FROM invoice_line l JOIN invoice i ON i.id = l.invoice_id
     WHERE i.organization_id = $1 AND i.kind = 'invoice' AND l.product = 'correction' AND l.first_hour >= $2 AND l.first_hour < $3`,
    period,
  );
  const correctionsUsd = new Map<string, Usd>();
  for (const { cluster_id, amount_usd: amountUsd } of corrections.rows) {
    correctionsUsd.set(cluster_id, (correctionsUsd.get(cluster_id) ?? ZERO_USD).plus(usd(amountUsd)));
  }
  return {
    number: invoice.number,
    lines: lines.rows.map(lineOf),
    correctionsUsd,
    isSealBroken: invoice.seal !== null && invoice.seal !== invoice.seal_now,
    meterHeads: invoice.meter_heads.map(({ clusterId, seq, hash }) => ({
      clusterId,
      seq: BigInt(seq),
      hash: Buffer.from(hash, 'hex'),
    })),
  };
}

function lineOf(row: LineRow): InvoicedLine {
  return {
    clusterId: row.cluster_id,
    product: row.product,
    mode: row.mode,
    tier: row.tier,
    priceBookId: row.price_book_id,
    quantity: BigInt(row.quantity),
    amountUsd: usd(row.amount_usd),
  };
}
