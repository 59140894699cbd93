'use client';

import { Button, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMay } from '../../../lib/session';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { money } from '../money';
import { BILLING_SETTINGS_PATH } from '../paths';
import { useRefreshBilling } from '../settings/use-refresh-billing';

/** Lets an invoice due by bank transfer be paid by card, where cards are accepted. */
export function PayByCard({ invoiceId, amountDueUsd }: { invoiceId: string; amountDueUsd: string }) {
  const trpc = useTRPC();
  const toast = useToast();
  const may = useMay();
  const refresh = useRefreshBilling();
  const account = useQuery(trpc.billing.account.queryOptions());
  const pay = useMutation(
    trpc.billing.payInvoiceByCard.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast({ title: 'Charging your card', description: 'The invoice shows the payment when it is complete.' });
      },
    }),
  );
  if (account.data === undefined || !account.data.canPayByCard || !may('billing:write')) {
    return null;
  }
  const { paymentMethodLabel: card } = account.data;
  return (
    <div className="mt-3 flex flex-col gap-3 print:hidden">
      {pay.error === null ? null : <FailureNotice error={pay.error} />}
      {card === null ? (
        <p>
          Or{' '}
          <Link href={BILLING_SETTINGS_PATH} className="font-medium text-accent-ink underline underline-offset-4">
            add a card
          </Link>{' '}
          to pay by card.
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button size="sm" pending={pay.isPending} onClick={() => pay.mutate({ invoiceId })}>
            Pay {money(amountDueUsd)} by card
          </Button>
          <span className="text-ink-2">{card}</span>
        </div>
      )}
    </div>
  );
}
