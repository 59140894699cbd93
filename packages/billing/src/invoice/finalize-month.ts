// Closes a month of an organization by issuing its invoice. Everything (number, lines, bookings, mails, calls to
// Stripe) is one transaction, so a killed worker leaves nothing behind, and of two workers one finds the other's
// invoice.
import { type Database, type Prisma, queriesIn } from '@penstock/database/client';
import { type Cells, readUnfolded, UnknownCell } from '@penstock/metadata-journal';
import { AppError, MAIN_CELL, newId } from '@penstock/platform';
import { failPoint } from '@penstock/platform/fail-point';
import { PRICE_BOOKS, type PriceBook } from '@penstock/pricing';
import { inTenant, lockBillingAccount, queueMail, recordAudit, type Scope } from '@penstock/tenancy';
import { DAY_MS } from '@penstock/units';
import { billingRecipients } from '../billing-account/billing-recipients.ts';
import { chooseCollection, queueInvoiceCollection } from '../collection/queue-invoice-collection.ts';
import { recordBooking } from '../credit/record-booking.ts';
import { invoiceIssued } from '../ledger/booking.ts';
import { type BillingMonth, billingMonth } from '../rating/billing-month.ts';
import { readBilledTo } from './billed-to.ts';
import { forgetChangedMonths, readUnbilledMonths } from './closed-months.ts';
import { type ComputedDraft, computeDraft } from './compute-draft.ts';
import { invoiceMail } from './invoice-mails.ts';
import { toLineRow } from './invoice-row.ts';
import type { InvoiceSettings } from './invoice-settings.ts';
import { FINALIZATION_DELAY_MS } from './month-input.ts';
import { nextNumber, readMeterHeads, sealInvoice } from './number-and-seal.ts';

/** The payment term of an invoice by transfer. */
const TRANSFER_TERM_MS = 30 * DAY_MS;

/** Generous, because nobody waits for it, and a year of corrections of a large organization takes a while. */
const TRANSACTION_TIMEOUT_MS = 120_000;

export type FinalizeOutcome =
  | { outcome: 'issued' | 'already issued'; invoiceId: string; number: string }
  | { outcome: 'too early' | 'earlier month first' | 'waits for metering' | 'nothing to bill' };

export interface FinalizeInput {
  organizationId: string;
  /** The month, such as `2026-10` */
  month: string;
  now: Date;
  settings: InvoiceSettings;
  /** The databases of journals in other cells; if omitted, there are none. */
  cells?: Pick<Cells, 'pool'> | undefined;
  /** The price books, oldest first. Tests pass other prices. */
  books?: readonly PriceBook[];
}

/**
 * Issues a month's invoice, once. Months are closed in order, since the earlier one has first claim on credits.
 * @throws AppError `seller_unknown` if the settings do not name a seller
 */
export async function finalizeMonth(database: Database, input: FinalizeInput): Promise<FinalizeOutcome> {
  const month = billingMonth(input.month);
  if (input.now.getTime() < month.endMs + FINALIZATION_DELAY_MS) {
    return { outcome: 'too early' };
  }
  const result = await inTenant(
    database,
    input.organizationId,
    (tx) => finalize({ ...systemScope(input), tx }, month, input),
    TRANSACTION_TIMEOUT_MS,
  );
  await failPoint('finalize: committed');
  return result;
}

function systemScope({ organizationId, now }: FinalizeInput): Omit<Scope, 'tx'> {
  return { organizationId, now, actor: { type: 'system', id: null, label: 'Monthly invoices', source: 'worker' } };
}

async function finalize(
  scope: Scope,
  month: BillingMonth,
  { settings, cells, books = PRICE_BOOKS }: FinalizeInput,
): Promise<FinalizeOutcome> {
  const { tx, organizationId } = scope;
  const account = await lockBillingAccount(scope);
  await failPoint('finalize: account-locked');
  const existing = await tx.invoice.findFirst({
    where: { organizationId, kind: 'invoice', periodStart: new Date(month.startMs) },
    select: { id: true, number: true },
  });
  if (existing !== null) {
    return { outcome: 'already issued', invoiceId: existing.id, number: existing.number };
  }
  if (await waitsForMetering(scope, month, cells)) {
    return { outcome: 'waits for metering' };
  }
  if ((await readUnbilledMonths(scope, month)).length > 0) {
    return { outcome: 'earlier month first' };
  }
  const draft = await computeDraft(scope, month, books);
  if (!draft.hasUsage && draft.lines.length === 0) {
    return { outcome: 'nothing to bill' };
  }
  const issued = await issue(scope, month, draft, account, settings);
  await forgetChangedMonths(scope, draft.settledMonths);
  await failPoint('finalize: invoice-written');
  await recordBooking(
    scope,
    invoiceIssued(
      { reference: `invoice:${issued.id}`, description: `Invoice ${issued.number}`, invoiceId: issued.id },
      draft,
    ),
  );
  await failPoint('finalize: booked');
  await queueInvoiceCollection(tx, { invoiceId: issued.id, organizationId, webUrl: settings.webUrl, now: scope.now });
  const link = settings.webUrl === undefined ? null : `${settings.webUrl}/app/billing/invoices/${issued.id}`;
  const facts = {
    number: issued.number,
    month: month.month,
    totalUsd: draft.totalUsd.toFixed(2),
    creditUsd: draft.creditUsd.toFixed(2),
    collection: issued.collection,
    dueAt: issued.dueAt,
    transferDetails: settings.transferDetails,
    link,
  };
  for (const to of await billingRecipients(scope, account)) {
    await queueMail(tx, invoiceMail(to, facts), scope.now);
  }
  await recordAudit(scope, {
    action: 'invoice.issue',
    targetType: 'invoice',
    targetId: issued.id,
    after: { number: issued.number, month: month.month, totalUsd: facts.totalUsd, creditUsd: facts.creditUsd },
  });
  await failPoint('finalize: announced');
  return { outcome: 'issued', invoiceId: issued.id, number: issued.number };
}

/**
 * Whether a cluster's journal may still contain usage of the month that is not in the ledger. Times within a journal
 * never decrease.
 */
async function waitsForMetering(
  { tx, organizationId }: Scope,
  { endMs }: BillingMonth,
  cells: Pick<Cells, 'pool'> | undefined,
): Promise<boolean> {
  const suspects = await tx.$queryRaw<{ id: string; cell: string; seq: bigint }[]>`
    SELECT c.id, c.cell, coalesce(p.seq, 0) AS seq
    FROM virtual_cluster c LEFT JOIN metering_checkpoint p ON p.cluster_id = c.id
    WHERE c.organization_id = ${organizationId}
      AND (p.cluster_id IS NULL OR p.entry_at < ${new Date(endMs)})`;
  const byCell = Map.groupBy(suspects, (cluster) => cluster.cell);
  const isBehind = async (cell: string): Promise<boolean> => {
    const clusters = (byCell.get(cell) ?? []).map(({ id, seq }) => ({ clusterId: id, foldedSeq: seq }));
    return (await readUnfolded(journalsOf(cell), clusters)).size > 0;
  };
  const journalsOf = (cell: string) => {
    if (cell === MAIN_CELL) {
      return queriesIn(tx);
    }
    if (cells === undefined) {
      throw new UnknownCell(cell);
    }
    return cells.pool(cell);
  };
  // Check this database first.
  if (await isBehind(MAIN_CELL)) {
    return true;
  }
  for (const cell of byCell.keys()) {
    if (cell !== MAIN_CELL && (await isBehind(cell))) {
      return true;
    }
  }
  return false;
}

async function issue(
  scope: Scope,
  month: BillingMonth,
  draft: ComputedDraft,
  account: Awaited<ReturnType<typeof lockBillingAccount>>,
  settings: InvoiceSettings,
): Promise<{ id: string; number: string; collection: 'card' | 'transfer'; dueAt: Date }> {
  const { tx, organizationId, now } = scope;
  const { seller, transferDetails, isStripeConfigured } = settings;
  if (seller === undefined) {
    throw new AppError({
      kind: 'unavailable',
      code: 'seller_unknown',
      message: 'An invoice can’t be issued because the seller is not configured.',
      remedy:
        'Set PENSTOCK_SELLER_NAME and PENSTOCK_SELLER_ADDRESS for the worker. It then issues the waiting invoices.',
    });
  }
  const totalUsd = draft.totalUsd.toFixed(2);
  const isPaid = draft.totalUsd.isZero();
  const collection = await chooseCollection(tx, { organizationId, totalUsd, isStripeConfigured });
  const dueAt = isPaid || collection === 'card' ? now : new Date(now.getTime() + TRANSFER_TERM_MS);
  const billedTo = await readBilledTo(scope, account);
  const id = newId(now.getTime());
  const number = await nextNumber(tx, 'PS', now);
  await tx.invoice.create({
    data: {
      id,
      organizationId,
      number,
      kind: 'invoice',
      periodStart: new Date(month.startMs),
      periodEnd: new Date(month.endMs),
      subtotalUsd: draft.subtotalUsd.toFixed(2),
      creditUsd: draft.creditUsd.toFixed(2),
      totalUsd,
      billedTo: { ...billedTo } satisfies Prisma.InputJsonObject,
      billedBy: { ...seller } satisfies Prisma.InputJsonObject,
      transferDetails: collection === 'transfer' && transferDetails.length > 0 ? transferDetails.join('\n') : null,
      collection,
      status: isPaid ? 'paid' : 'open',
      finalizedAt: now,
      dueAt,
      paidAt: isPaid ? now : null,
      meterHeads: (await readMeterHeads(scope)).map((head) => ({ ...head })),
    },
  });
  await tx.invoiceLine.createMany({ data: draft.lines.map((line) => toLineRow(id, line)) });
  await sealInvoice(scope, id);
  return { id, number, collection, dueAt };
}
