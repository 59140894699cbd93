'use client';

import { Button, Card, Notice } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CreditCard, Landmark } from 'lucide-react';
import { FailureNotice, QueryState, type RouterOutputs, useTRPC } from '../../../lib/trpc';

type Account = RouterOutputs['billing']['account'];

export function PaymentCard() {
  const trpc = useTRPC();
  const account = useQuery(trpc.billing.account.queryOptions());
  return (
    <Card title="Payment method">
      <QueryState query={account} label="Loading payment method" rows={2}>
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
        You pay invoices by bank transfer, within 30 days. Each invoice has the bank details. Use the invoice number as
        the reference.
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
            No card on file. Until you add one, invoices are paid by bank transfer. You enter the card on Stripe’s page.
            We never see its number.
          </span>
        ) : (
          <span>
            <strong className="font-medium text-ink">{account.paymentMethodLabel}</strong>. We’ll charge it when an
            invoice is final.
          </span>
        )}
      </p>
      {failed === null ? null : <FailureNotice error={failed} />}
      {account.failedPayments.map((payment) => (
        <Notice key={payment.invoiceId} tone="warn" title={`Payment failed for invoice ${payment.invoiceNumber}`}>
          {payment.reason ?? 'We haven’t received the payment.'}
        </Notice>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={account.paymentMethodLabel === null ? 'primary' : 'secondary'}
          pending={isLeaving}
          onClick={() => setup.mutate()}
        >
          {account.paymentMethodLabel === null ? 'Add card' : 'Replace card'}
        </Button>
        {account.paymentMethodLabel === null ? null : (
          <Button variant="quiet" pending={isLeaving} onClick={() => portal.mutate()}>
            Manage in Stripe
          </Button>
        )}
      </div>
    </div>
  );
}
