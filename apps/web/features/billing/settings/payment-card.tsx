'use client';

import { Button, Card, Notice } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CreditCard, Landmark } from 'lucide-react';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../../lib/trpc';
import { QueryState } from '../query-state';

type Account = RouterOutputs['billing']['account'];

export function PaymentCard() {
  const trpc = useTRPC();
  const account = useQuery(trpc.billing.account.queryOptions());
  return (
    <Card title="Payment method">
      <QueryState query={account} label="Loading the payment method" rows={2}>
        {(data) => (data.canPayByCard ? <ByCard account={data} /> : <ByTransfer />)}
      </QueryState>
    </Card>
  );
}

function ByTransfer() {
  return (
    <p className="flex items-start gap-3 text-ink-2 text-sm leading-6">
      <Landmark aria-hidden className="mt-1 size-4 shrink-0 text-ink-3" />
      <span>
        Invoices are paid by bank transfer within 30 days. Each invoice says to which account, and its number is the
        reference. Cards are not taken by this installation.
      </span>
    </p>
  );
}

function ByCard({ account }: { account: Account }) {
  const trpc = useTRPC();
  const leaveFor = { onSuccess: ({ url }: { url: string }) => window.location.assign(url) };
  const setup = useMutation(trpc.billing.startPaymentSetup.mutationOptions(leaveFor));
  const portal = useMutation(trpc.billing.openPaymentPortal.mutationOptions(leaveFor));
  const failed = setup.error ?? portal.error;
  const isLeaving = setup.isPending || portal.isPending || setup.isSuccess || portal.isSuccess;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-start gap-3 text-ink-2 text-sm leading-6">
        <CreditCard aria-hidden className="mt-1 size-4 shrink-0 text-ink-3" />
        {account.paymentMethodLabel === null ? (
          <span>
            No card yet. Until there is one, invoices are paid by transfer. A card is entered on Stripe’s page; its
            number never reaches us.
          </span>
        ) : (
          <span>
            <strong className="font-medium text-ink">{account.paymentMethodLabel}</strong>. Invoices are paid with it
            automatically once they are final.
          </span>
        )}
      </p>
      {failed === null ? null : <FailureNotice error={failed} />}
      {account.failedPayments.map((payment) => (
        <Notice key={payment.invoiceId} tone="warn" title={`Invoice ${payment.invoiceNumber} could not be collected`}>
          {payment.reason ?? 'The money has not come.'}
        </Notice>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={account.paymentMethodLabel === null ? 'primary' : 'secondary'}
          pending={isLeaving}
          onClick={() => setup.mutate()}
        >
          {account.paymentMethodLabel === null ? 'Add a card' : 'Replace the card'}
        </Button>
        {account.paymentMethodLabel === null ? null : (
          <Button variant="quiet" pending={isLeaving} onClick={() => portal.mutate()}>
            Cards and receipts at Stripe
          </Button>
        )}
      </div>
    </div>
  );
}
