'use client';

import { Card, EmptyState } from '@penstock/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import Link from 'next/link';
import { DataTable } from '../../../lib/table';
import { QueryState, useTRPC } from '../../../lib/trpc';
import { dayText, monthText } from '../dates';
import { InvoiceStatus } from '../invoice-status';
import { centsOf, money } from '../money';
import { invoicePath, useDownloadPath } from '../paths';

/** Final invoices and credit notes, newest first. */
export function InvoicesCard() {
  const downloadPath = useDownloadPath();
  const trpc = useTRPC();
  const pages = useInfiniteQuery(
    trpc.billing.listInvoices.infiniteQueryOptions({}, { getNextPageParam: (page) => page.nextCursor ?? undefined }),
  );
  return (
    <Card title="Invoices" description="Invoices are final. We correct them with credit notes." flush>
      <QueryState query={pages} label="Loading invoices">
        {(data) => {
          const invoices = data.pages.flatMap((page) => page.invoices);
          return invoices.length === 0 ? (
            <EmptyState icon={<FileText />} title="No invoices yet">
              Your first invoice is issued 24 hours after the end of the first month with usage.
            </EmptyState>
          ) : (
            <DataTable
              label="Invoices, newest first"
              noun="invoice"
              address="invoices"
              filterBy="number"
              rows={invoices}
              rowKey={({ id }) => id}
              pages={{
                hasMore: pages.hasNextPage,
                isLoading: pages.isFetchingNextPage,
                onMore: () => void pages.fetchNextPage(),
                label: 'Older invoices',
              }}
              columns={[
                {
                  key: 'number',
                  header: 'Number',
                  stack: 'title',
                  className: 'whitespace-nowrap',
                  value: ({ number }) => number,
                  search: 'value',
                  cell: (invoice) => (
                    <>
                      <Link
                        href={invoicePath(invoice.id)}
                        className="font-medium text-accent-ink underline underline-offset-4"
                      >
                        {invoice.number}
                      </Link>
                      <span className="block text-ink-3 text-xs">
                        {invoice.kind === 'credit_note' ? 'Credit note for ' : ''}
                        {monthText(invoice.periodStart)}
                      </span>
                    </>
                  ),
                },
                {
                  key: 'status',
                  header: 'Status',
                  className: 'whitespace-nowrap',
                  value: ({ status }) => status,
                  cell: ({ status, dueAt }) => (
                    <>
                      <InvoiceStatus status={status} />
                      {status === 'open' ? (
                        <span className="mt-0.5 block text-ink-3 text-xs">due {dayText(dueAt)}</span>
                      ) : null}
                    </>
                  ),
                },
                {
                  key: 'total',
                  header: 'Total',
                  stack: 'aside',
                  numeric: true,
                  className: 'font-medium text-ink',
                  value: ({ totalUsd }) => totalUsd,
                  rank: ({ totalUsd }) => centsOf(totalUsd),
                  cell: ({ totalUsd }) => money(totalUsd),
                },
                {
                  key: 'file',
                  header: 'File',
                  className: 'text-right',
                  cell: ({ id, number }) => (
                    <a
                      href={downloadPath(id, 'pdf')}
                      className="text-accent-ink underline underline-offset-4"
                      aria-label={`Download ${number} as PDF`}
                    >
                      PDF
                    </a>
                  ),
                },
              ]}
            />
          );
        }}
      </QueryState>
    </Card>
  );
}
