// What invoice tests share: hours in the ledger, settings, finalization, and ledger checks.
import type { Database } from '@penstock/database/client';
import type { ControlPlane, TestOrganization } from '../../testing/control-plane.ts';
import { type FinalizeInput, type FinalizeOutcome, finalizeMonth } from '../finalize-month.ts';
import { getInvoice } from '../get-invoice.ts';
import type { InvoiceDetail } from '../invoice.ts';
import { settings } from './billing-settings.ts';

export const GIB = 2n ** 30n;

export interface HourUsage {
  bytes?: bigint;
  minutes?: number;
  devMinutes?: number;
  lowLatencyMinutes?: number;
  /** The journal entries; one by default. */
  seqs?: [bigint, bigint];
}

/** Adds usage to an hour, as the fold does. */
export async function addUsage(
  database: Pick<Database, 'usageHour'>,
  tenant: TestOrganization,
  clusterId: string,
  hour: string,
  usage: HourUsage,
): Promise<void> {
  const amounts = {
    uncompressedBytes: usage.bytes ?? 0n,
    clusterMinutes: usage.minutes ?? 0,
    devMinutes: usage.devMinutes ?? 0,
    lowLatencyMinutes: usage.lowLatencyMinutes ?? 0,
  };
  const [firstSeq, lastSeq] = usage.seqs ?? [1n, 1n];
  await database.usageHour.upsert({
    where: { clusterId_hour: { clusterId, hour: new Date(hour) } },
    create: {
      clusterId,
      hour: new Date(hour),
      organizationId: tenant.organizationId,
      records: 1n,
      files: 1n,
      ...amounts,
      firstSeq,
      lastSeq,
    },
    update: {
      uncompressedBytes: { increment: amounts.uncompressedBytes },
      clusterMinutes: { increment: amounts.clusterMinutes },
      devMinutes: { increment: amounts.devMinutes },
      lowLatencyMinutes: { increment: amounts.lowLatencyMinutes },
      lastSeq,
    },
  });
}

/** Closes a month some time after it may be closed. */
export function finalize(
  database: Database,
  tenant: TestOrganization,
  month: string,
  options: Partial<FinalizeInput> = {},
): Promise<FinalizeOutcome> {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const now = new Date(Date.UTC(year, number, 2, 1));
  return finalizeMonth(database, { organizationId: tenant.organizationId, month, now, settings, ...options });
}

/** Closes a month and reads its invoice. Fails if there is none. */
export async function invoiceOf(
  plane: ControlPlane,
  tenant: TestOrganization,
  month: string,
  options: Partial<FinalizeInput> = {},
): Promise<InvoiceDetail> {
  const result = await finalize(plane.database, tenant, month, options);
  if (result.outcome !== 'issued') {
    throw new Error(`${month} was not issued: ${result.outcome}`);
  }
  return tenant.run((scope) => getInvoice(scope, { invoiceId: result.invoiceId }));
}

/** The amounts of an invoice, with what each line is for. */
export function amountsOf(invoice: Pick<InvoiceDetail, 'lines'>): [string, string][] {
  return invoice.lines.map(({ description, amountUsd }) => [description, amountUsd]);
}

/** The balances of an organization's accounts, and their sum. */
export async function balancesOf(database: Database, organizationId: string): Promise<Record<string, string>> {
  const rows = await database.ledgerPosting.groupBy({
    by: ['account'],
    where: { organizationId },
    _sum: { amountUsd: true },
  });
  return Object.fromEntries(rows.map(({ account, _sum: sum }) => [account, sum.amountUsd?.toFixed(2) ?? '0.00']));
}
