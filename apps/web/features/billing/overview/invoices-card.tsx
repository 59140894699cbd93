'use client';

import { Button, Card, EmptyState, Table, Td, Th, Tr } from '@penstock/ui';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import Link from 'next/link';
import { QueryState, useTRPC } from '../../../lib/trpc';
import { dayText, monthText } from '../dates';
import { InvoiceStatus } from '../invoice-status';
import { money } from '../money';
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
            <>
              <Table label="Invoices, newest first" stacks>
                <thead>
                  <tr>
                    <Th>Number</Th>
                    <Th>Status</Th>
                    <Th numeric>Total</Th>
                    <Th className="text-right">File</Th>
                  </tr>
                </thead>
                <tbody>
                  {invoices.map((invoice) => (
                    <Tr key={invoice.id}>
                      <Td className="whitespace-nowrap" stack="title">
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
                      </Td>
                      <Td className="whitespace-nowrap">
                        <InvoiceStatus status={invoice.status} />
                        {invoice.status === 'open' ? (
                          <span className="mt-0.5 block text-ink-3 text-xs">due {dayText(invoice.dueAt)}</span>
                        ) : null}
                      </Td>
                      <Td numeric className="font-medium text-ink" stack="aside">
                        {money(invoice.totalUsd)}
                      </Td>
                      <Td className="text-right">
                        <a
                          href={downloadPath(invoice.id, 'pdf')}
                          className="text-accent-ink underline underline-offset-4"
                          aria-label={`Download ${invoice.number} as PDF`}
                        >
                          PDF
                        </a>
                      </Td>
                    </Tr>
                  ))}
                </tbody>
              </Table>
              {pages.hasNextPage ? (
                <div className="flex justify-center border-line border-t p-3">
                  <Button size="sm" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                    {pages.isFetchingNextPage ? 'Loading…' : 'Older invoices'}
                  </Button>
                </div>
              ) : null}
            </>
          );
        }}
      </QueryState>
    </Card>
  );
}
