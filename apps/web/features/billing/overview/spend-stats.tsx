'use client';

import { Button, Skeleton, Stat } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Ago } from '../../../lib/time';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { dayText, monthText } from '../dates';
import { money, percentOf } from '../money';
import { BILLING_SETTINGS_PATH } from '../paths';
import { useDraft, useForecast } from './use-running-month';

/** The month's spend, forecast and credits at a glance. */
export function SpendStats() {
  const trpc = useTRPC();
  const draft = useDraft();
  const forecast = useForecast();
  const credits = useQuery(trpc.billing.credits.queryOptions());
  const account = useQuery(trpc.billing.account.queryOptions());
  const budget = useQuery(trpc.billing.budget.queryOptions());
  const failed = [draft, forecast, credits, account, budget].find(
    (query) => query.error !== null && query.data === undefined,
  );
  if (failed !== undefined) {
    return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-raised">
      <dl className="grid divide-line max-sm:divide-y sm:grid-cols-2 lg:grid-cols-4 lg:divide-x sm:max-lg:[&>*:nth-child(even)]:border-l sm:max-lg:[&>*:nth-child(n+3)]:border-t">
        <Figure
          label={draft.data === undefined ? 'This month' : `${monthText(draft.data.periodStart)} so far`}
          value={draft.data === undefined ? null : money(draft.data.subtotalUsd)}
          testId="month-to-date"
          note={
            draft.data === undefined ? null : (
              <>
                before credits, updated <Ago timeMs={draft.data.countedUntil.getTime()} />
              </>
            )
          }
        />
        <Figure
          label="Forecast for this month"
          value={forecast.data === undefined ? null : money(forecast.data.subtotalUsd)}
          note={forecast.data === undefined ? null : forecast.data.method}
        />
        <Figure
          label="Credit balance"
          value={credits.data === undefined ? null : money(credits.data.balanceUsd)}
          note="before this month’s invoice; never expires"
        />
        <Figure
          label="Next invoice so far"
          value={draft.data === undefined ? null : money(draft.data.totalUsd)}
          note={draft.data === undefined ? null : `after credits; final on ${dayText(draft.data.finalizesAt)}`}
        />
      </dl>
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-3 text-ink-2 text-sm sm:px-5">
        <span>
          {account.data === undefined ? <Skeleton className="h-4 w-56" /> : paymentText(account.data)}{' '}
          {budget.data === undefined || draft.data === undefined
            ? null
            : budgetText(budget.data, draft.data.subtotalUsd)}
        </span>
        <Button asChild size="sm">
          <Link href={BILLING_SETTINGS_PATH}>Billing settings</Link>
        </Button>
      </p>
    </div>
  );
}

function paymentText(account: { paymentMethodLabel: string | null; canPayByCard: boolean }): string {
  if (account.paymentMethodLabel !== null) {
    return `Invoices are paid with ${account.paymentMethodLabel}.`;
  }
  return account.canPayByCard
    ? 'No payment method. Invoices are paid by bank transfer until you add a card.'
    : 'Invoices are paid by bank transfer. Each invoice has the bank details.';
}

function budgetText(
  { budgetUsd, capUsd }: { budgetUsd: string | null; capUsd: string | null },
  costUsd: string,
): string {
  const parts = [
    budgetUsd === null ? null : `${percentOf(costUsd, budgetUsd)}% of the ${money(budgetUsd)} budget used.`,
    capUsd === null ? null : `Writes are blocked at ${money(capUsd)}.`,
  ];
  return parts.filter((part) => part !== null).join(' ');
}

function Figure({
  label,
  value,
  note,
  testId,
}: {
  label: string;
  value: string | null;
  note: ReactNode;
  testId?: string;
}) {
  return (
    <Stat
      label={label}
      value={value === null ? <Skeleton className="h-8 w-28" /> : <span data-testid={testId}>{value}</span>}
      note={note === null ? <Skeleton className="h-4 w-36" /> : note}
    />
  );
}
