'use client';

import { Button, Card, Notice, Skeleton } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Download, Printer } from 'lucide-react';
import Link from 'next/link';
import { FailureNotice, isNotFound, type RouterOutputs, toFailure, useTRPC } from '../../../lib/trpc';
import { dayText, periodText } from '../dates';
import { InvoiceStatus } from '../invoice-status';
import { LineTable } from '../line-table';
import { isZeroMoney, money } from '../money';
import { BILLING_PATH, invoicePath, useDownloadPath } from '../paths';
import { Totals } from '../totals';
import { PayByCard } from './pay-by-card';

type Invoice = RouterOutputs['billing']['getInvoice'];
type Party = Invoice['billedTo'];

const COLLECTING_REFRESH_MS = 5_000;
const FORMATS = ['pdf', 'csv', 'json'] as const;

/** One final invoice or credit note, as it was issued. Prints as a document. */
export function InvoicePage({ invoiceId }: { invoiceId: string }) {
  const trpc = useTRPC();
  const invoice = useQuery({
    ...trpc.billing.getInvoice.queryOptions({ invoiceId }),
    // An invoice that is charged to a card may be paid at any moment, so the page refreshes.
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'open' && data.collection === 'card' ? COLLECTING_REFRESH_MS : false,
  });
  if (invoice.data !== undefined) {
    return <Document invoice={invoice.data} />;
  }
  if (invoice.error !== null) {
    return (
      <div className="mx-auto max-w-xl py-10">
        {isNotFound(toFailure(invoice.error), 'invoiceId') ? (
          <>
            <h1 className="font-semibold text-2xl tracking-tight">Invoice not found</h1>
            <p className="mt-2 text-ink-2 leading-7">
              This organization doesn’t have this invoice. The link may be incomplete.
            </p>
          </>
        ) : (
          <>
            <h1 className="mb-4 font-semibold text-2xl tracking-tight">We couldn’t load this invoice</h1>
            <FailureNotice error={invoice.error} onRetry={() => void invoice.refetch()} />
          </>
        )}
        <Button asChild className="mt-4">
          <Link href={BILLING_PATH}>All invoices</Link>
        </Button>
      </div>
    );
  }
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-6">
      <span className="sr-only">Loading invoice</span>
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-32 rounded-xl" />
      <Skeleton className="h-64 rounded-xl" />
    </div>
  );
}

function Document({ invoice }: { invoice: Invoice }) {
  const downloadPath = useDownloadPath();
  const noun = invoice.kind === 'credit_note' ? 'Credit note' : 'Invoice';
  return (
    <article className="mx-auto flex max-w-4xl flex-col gap-6">
      <header>
        <Link
          href={BILLING_PATH}
          className="inline-flex items-center gap-1 rounded text-[0.8125rem] text-ink-3 hover:text-ink print:hidden"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          All invoices
        </Link>
        <div className="mt-1 flex flex-wrap items-start justify-between gap-4">
          <div className="min-w-0">
            <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-2xl text-ink tracking-tight">
              {noun} {invoice.number}
              <InvoiceStatus status={invoice.status} />
            </h1>
            <p className="mt-1 text-ink-2 text-sm leading-6">
              {periodText(invoice.periodStart, invoice.periodEnd)} (UTC)
            </p>
          </div>
          <div className="flex flex-wrap gap-2 print:hidden">
            {FORMATS.map((format) => (
              <Button key={format} asChild size="sm">
                <a href={downloadPath(invoice.id, format)} download>
                  <Download aria-hidden />
                  {format.toUpperCase()}
                </a>
              </Button>
            ))}
            <Button size="sm" onClick={() => window.print()}>
              <Printer aria-hidden />
              Print
            </Button>
          </div>
        </div>
      </header>
      <Payment invoice={invoice} />
      <Card>
        <div className="grid gap-6 text-sm sm:grid-cols-3">
          <PartyBlock label="From" party={invoice.billedBy} />
          <PartyBlock label="To" party={invoice.billedTo} />
          <dl className="nums grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1">
            <Fact name="Issued" value={dayText(invoice.finalizedAt)} />
            {invoice.kind === 'invoice' ? <Fact name="Due" value={dayText(invoice.dueAt)} /> : null}
            {invoice.paidAt === null ? null : <Fact name="Paid" value={dayText(invoice.paidAt)} />}
            <Fact name="Currency" value="US dollars" />
          </dl>
        </div>
      </Card>
      <Card flush>
        <LineTable invoice={invoice.id} lines={invoice.lines} />
        <Totals {...invoice} totalLabel="Total" {...(invoice.kind === 'invoice' ? { paid: invoice } : {})} />
        <p className="border-line border-t px-4 py-3 text-ink-3 text-xs leading-5 sm:px-5">
          Write tiers apply to the total of all clusters in the organization. 1 GiB is 2^30 bytes of acknowledged data
          before compression. Each line is rounded once, to the cent. Months, days and hours are in UTC.
          {invoice.seal === null ? null : (
            <span className="mt-2 block">
              Seal <span className="break-all font-mono text-ink-2">{invoice.seal}</span>: SHA-256 of everything on this
              page except payments, and of the hash chains of the journals that it was metered from. The PDF has the
              same seal. Keep it to detect later changes.
            </span>
          )}
        </p>
      </Card>
      <Related invoice={invoice} />
    </article>
  );
}

/** The action that the invoice needs, if any. */
function Payment({ invoice }: { invoice: Invoice }) {
  if (invoice.kind === 'credit_note') {
    return invoice.reason === null ? null : <Notice title="Reason for this credit note">{invoice.reason}</Notice>;
  }
  if (invoice.status !== 'open' || isZeroMoney(invoice.amountDueUsd)) {
    return null;
  }
  if (invoice.collection === 'card') {
    return (
      <Notice
        title={`We’ll charge ${money(invoice.amountDueUsd)} to your card`}
        {...(invoice.hostedInvoiceUrl === null
          ? {}
          : {
              action: (
                <Button asChild size="sm" className="print:hidden">
                  <a href={invoice.hostedInvoiceUrl} rel="noreferrer">
                    Pay now
                  </a>
                </Button>
              ),
            })}
      >
        Stripe collects the payment. You don’t need to do anything unless we contact you.
      </Notice>
    );
  }
  return (
    <Notice title={`Transfer ${money(invoice.amountDueUsd)} by ${dayText(invoice.dueAt)}`}>
      {invoice.transferDetails.length === 0
        ? 'We’ll send you the bank details.'
        : invoice.transferDetails.map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
      <span className="block">Reference: {invoice.number}</span>
      <PayByCard invoiceId={invoice.id} amountDueUsd={invoice.amountDueUsd} />
    </Notice>
  );
}

function PartyBlock({ label, party }: { label: string; party: Party }) {
  return (
    <div className="min-w-0">
      <h2 className="text-ink-3 text-xs">{label}</h2>
      <address className="mt-1 break-words text-ink-2 not-italic leading-6">
        <span className="block font-medium text-ink">{party.name}</span>
        {party.address.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
        {party.taxId === null ? null : <span className="block">Tax ID: {party.taxId}</span>}
        {party.email === null ? null : <span className="block">{party.email}</span>}
      </address>
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-ink">{value}</dd>
    </>
  );
}

/** The invoice that a credit note corrects, and the credit notes of an invoice. */
function Related({ invoice }: { invoice: Invoice }) {
  const { corrects, creditNotes } = invoice;
  if (corrects === null && creditNotes.length === 0) {
    return null;
  }
  const link = 'font-medium text-accent-ink underline underline-offset-4';
  return (
    <Card title={corrects === null ? 'Credit notes' : 'Corrects'}>
      <ul className="flex flex-col gap-2 text-sm">
        {corrects === null ? null : (
          <li>
            <Link href={invoicePath(corrects.id)} className={link}>
              Invoice {corrects.number}
            </Link>
          </li>
        )}
        {creditNotes.map((note) => (
          <li key={note.id} className="flex flex-wrap justify-between gap-4">
            <Link href={invoicePath(note.id)} className={link}>
              {note.number}
            </Link>
            <span className="nums">{money(note.totalUsd)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
