// Recomputes a month's bill from the journal, and reports how the ledger and the invoice differ from it.
import { PRICE_BOOKS, type PriceBook, sumUsd, type Usd } from '@penstock/pricing';
import type { ClientBase } from 'pg';
import { withoutUnbilled } from '../hold/billable-hours.ts';
import { type BillingMonth, billingMonth } from '../rating/billing-month.ts';
import { type RatedLine, rateMonth } from '../rating/rate-month.ts';
import { CannotRecompute } from './cannot-recompute.ts';
import { compareHours, compareLines, type HourDifference, type LineDifference } from './compare-bills.ts';
import { readClusters, readInvoiced, readLedger, readOrganization, readUnbilled } from './read-bill.ts';
import { type ClusterReplay, type ReplaySources, replayCluster } from './replay-cluster.ts';

export interface RecomputedCluster extends Omit<ClusterReplay, 'hours'> {
  clusterId: string;
  name: string;
}

export interface RecomputedBill {
  organization: { id: string; name: string };
  month: string;
  /** All clusters that the organization ever had, because the whole log is checked, whichever month is requested. */
  clusters: RecomputedCluster[];
  /** How many hours of the month the journal yields. */
  hours: number;
  /** The lines, rated again. */
  lines: RatedLine[];
  /** The sum of these lines, before credits and corrections of other months. */
  usageUsd: Usd;
  /** Null while the month has no invoice. */
  invoiceNumber: string | null;
  /** The invoice no longer matches the seal from when it became final. */
  isSealBroken: boolean;
  hourDifferences: HourDifference[];
  lineDifferences: LineDifference[];
  /** Nothing is damaged and nothing differs. */
  isEqual: boolean;
}

export interface RecomputeInput {
  /** Its id or its slug. */
  organization: string;
  /** The month, such as `2026-11` */
  month: string;
  /** Oldest first. Tests pass other prices. */
  books?: readonly PriceBook[];
}

/** Connects to a cell other than `main`. Called once per cell; the caller closes the connection. */
export type ConnectCell = (cell: string) => Promise<ClientBase>;

async function noOtherCells(cell: string): Promise<never> {
  throw new CannotRecompute(
    `Cell ${cell} has a journal of this bill, but it is not known here.`,
    'Set PENSTOCK_CELLS as it is set for the worker.',
  );
}

/**
 * Reads everything in one snapshot of the database, so that a concurrent fold or invoice is seen either completely or
 * not at all. Journals in other cells are read in a later snapshot of their cell, which contains everything that the
 * ledger's snapshot has counted. Changes nothing.
 * @throws CannotRecompute
 */
export async function recomputeBill(
  client: ClientBase,
  input: RecomputeInput,
  connectCell: ConnectCell = noOtherCells,
): Promise<RecomputedBill> {
  const month = monthOf(input.month);
  const opened = new Map<string, ClientBase>();
  const openCell = async (cell: string): Promise<ClientBase> => {
    let other = opened.get(cell);
    if (other === undefined) {
      other = await connectCell(cell);
      await other.query(READ_SNAPSHOT);
      opened.set(cell, other);
    }
    return other;
  };
  await client.query(READ_SNAPSHOT);
  try {
    return await recompute({ ledger: client, openCell }, input, month);
  } finally {
    for (const other of [client, ...opened.values()]) {
      await other.query('ROLLBACK');
    }
  }
}

const READ_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

function monthOf(text: string): BillingMonth {
  try {
    return billingMonth(text);
  } catch (error) {
    throw new CannotRecompute(`${text} is not a month.`, 'Write it like 2026-11.', { cause: error });
  }
}

async function recompute(sources: ReplaySources, input: RecomputeInput, month: BillingMonth): Promise<RecomputedBill> {
  const { ledger: client } = sources;
  const { books = PRICE_BOOKS } = input;
  const { rows } = await client.query<{ has_begun: boolean }>('SELECT now() >= $1 AS has_begun', [
    new Date(month.startMs),
  ]);
  if (rows[0]?.has_begun !== true) {
    throw new CannotRecompute(
      `${month.month} has not begun: there is nothing to compare.`,
      'Ask for a month that has.',
    );
  }
  const organization = await readOrganization(client, input.organization);
  const clusterNames = await readClusters(client, organization.id);
  const invoiced = await readInvoiced(client, organization.id, month);
  const clusters: RecomputedCluster[] = [];
  const hours: ClusterReplay['hours'] = [];
  for (const [clusterId, name] of clusterNames) {
    const { hours: ofCluster, ...facts } = await replayCluster(sources, clusterId, {
      month,
      heads: invoiced?.meterHeads.filter((head) => head.clusterId === clusterId) ?? [],
    });
    clusters.push({ clusterId, name, ...facts });
    hours.push(...ofCluster);
  }
  const { billable } = withoutUnbilled(hours, await readUnbilled(client, organization.id, month));
  const lines = rateMonth({ hours: billable, clusterNames, books, month: month.month });
  const hourDifferences = compareHours(await readLedger(client, organization.id, month), hours);
  const lineDifferences = invoiced === undefined ? [] : compareLines(invoiced, lines);
  return {
    organization,
    month: month.month,
    clusters,
    hours: hours.length,
    lines,
    usageUsd: sumUsd(lines.map(({ amountUsd }) => amountUsd)),
    invoiceNumber: invoiced?.number ?? null,
    isSealBroken: invoiced?.isSealBroken ?? false,
    hourDifferences,
    lineDifferences,
    isEqual:
      invoiced?.isSealBroken !== true &&
      hourDifferences.length === 0 &&
      lineDifferences.length === 0 &&
      clusters.every(({ damages }) => damages.length === 0),
  };
}
