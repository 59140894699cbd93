'use client';

import { Card, EmptyState } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import Link from 'next/link';
import { DataTable } from '../../../lib/table';
import { QueryState, useTRPC } from '../../../lib/trpc';
import { dayText } from '../dates';
import { money } from '../money';
import { invoicePath } from '../paths';

/** Why an organization came without the credits for new ones, and how it gets them. */
function NotGranted({ amountUsd }: { amountUsd: string }) {
  return (
    <>
      The ${amountUsd} for new organizations is granted once per person, and the person who created this one has had it.
      To get it here too, add a payment method or verify a company domain that no other organization has used.
    </>
  );
}

/** Credit grants and uses, with the balance after each. */
export function CreditsCard() {
  const trpc = useTRPC();
  const credits = useQuery(trpc.billing.credits.queryOptions());
  return (
    <Card
      title="Credits"
      description={
        credits.data === undefined
          ? undefined
          : `${money(credits.data.balanceUsd)} left. Credits are applied to invoices before you’re charged.`
      }
      flush
    >
      <QueryState query={credits} label="Loading credits">
        {(data) =>
          data.entries.length === 0 ? (
            <EmptyState icon={<Coins />} title="No credits yet">
              {data.signUp.isGranted ? (
                'Credits that you receive and use appear here.'
              ) : (
                <NotGranted {...data.signUp} />
              )}
            </EmptyState>
          ) : (
            <DataTable
              label="Credits, newest first"
              noun="entry"
              plural="entries"
              isPlain
              boxClassName="max-h-96 overflow-y-auto"
              rows={data.entries}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'entry',
                  header: 'Entry',
                  stack: 'title',
                  className: 'text-ink',
                  cell: ({ invoiceId, description, at }) => (
                    <>
                      {invoiceId === null ? (
                        description
                      ) : (
                        <Link
                          href={invoicePath(invoiceId)}
                          className="font-medium text-accent-ink underline underline-offset-4"
                        >
                          {description}
                        </Link>
                      )}
                      <span className="block text-ink-3 text-xs">{dayText(at)}</span>
                    </>
                  ),
                },
                {
                  key: 'amount',
                  header: 'Amount',
                  stack: 'aside',
                  numeric: true,
                  cell: ({ amountUsd }) => money(amountUsd),
                },
                {
                  key: 'balance',
                  header: 'Balance',
                  label: 'Balance',
                  numeric: true,
                  cell: ({ balanceUsd }) => money(balanceUsd),
                },
              ]}
            />
          )
        }
      </QueryState>
    </Card>
  );
}
