'use client';

import { Button, Notice } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMay } from '../../lib/session';
import { type RouterOutputs, useTRPC } from '../../lib/trpc';

type Account = RouterOutputs['billing']['account'];

const REFRESH_MS = 60_000;
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Shown on every page to roles that may see billing: a failed payment, or a spending cap that refuses writes. */
export function BillingBanner() {
  return useMay()('billing:read') ? <Banners /> : null;
}

function Banners() {
  const trpc = useTRPC();
  const account = useQuery({ ...trpc.billing.account.queryOptions(), refetchInterval: REFRESH_MS });
  const budget = useQuery({ ...trpc.billing.budget.queryOptions(), refetchInterval: REFRESH_MS });
  const isBehind = account.data !== undefined && account.data.standing !== 'good';
  const isCapped = budget.data !== undefined && budget.data.writesRefusedReason !== null;
  if (!isBehind && !isCapped) {
    return null;
  }
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-3 px-4 pt-4 sm:px-6 print:hidden">
      {isBehind ? <PaymentBanner account={account.data} /> : null}
      {isCapped ? (
        <Notice
          tone="warn"
          title="Writes are blocked: spending cap reached"
          action={
            <Button asChild size="sm">
              <Link href="/app/billing/settings">Change cap</Link>
            </Button>
          }
        >
          Producers get POLICY_VIOLATION until the cap is raised or removed, or until next month. Consumers can still
          read, and nothing is deleted.
        </Notice>
      ) : null}
    </div>
  );
}

function PaymentBanner({ account }: { account: Account }) {
  const [oldest] = account.failedPayments;
  const isRestricted = account.standing === 'restricted';
  const target = oldest?.hostedInvoiceUrl ?? null;
  return (
    <Notice
      tone={isRestricted ? 'danger' : 'warn'}
      title={
        oldest === undefined
          ? 'Payment overdue'
          : oldest.reason === null
            ? `Invoice ${oldest.invoiceNumber} is overdue`
            : `Payment failed for invoice ${oldest.invoiceNumber}`
      }
      action={
        <Button asChild size="sm">
          {target === null ? (
            <Link href={oldest === undefined ? '/app/billing/settings' : `/app/billing/invoices/${oldest.invoiceId}`}>
              Resolve
            </Link>
          ) : (
            <a href={target} rel="noreferrer">
              Pay now
            </a>
          )}
        </Button>
      }
    >
      {oldest?.reason ?? ''}{' '}
      {isRestricted
        ? 'You can’t create clusters until it is paid. Running clusters and their data are not affected.'
        : `Running clusters are not affected.${oldest === undefined ? '' : ` If it is still unpaid on ${DAY.format(oldest.restrictedFrom)}, you can’t create new clusters.`}`}
    </Notice>
  );
}
