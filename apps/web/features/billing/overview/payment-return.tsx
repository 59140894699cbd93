'use client';

import { useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { useMay } from '../../../lib/session';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import { BILLING_PATH } from '../paths';

/** Handles the return from Stripe: reloads the payment details and cleans the URL. */
export function PaymentReturn() {
  const trpc = useTRPC();
  const toast = useToast();
  const router = useRouter();
  const queryClient = useQueryClient();
  const may = useMay();
  const parameters = useSearchParams();
  const sessionId = parameters.get('setup');
  const isBackFromPortal = parameters.get('portal') !== null;
  const handled = useRef<string | null>(null);
  const complete = useMutation(
    trpc.billing.completePaymentSetup.mutationOptions({
      onSuccess: async ({ isComplete }) => {
        await queryClient.invalidateQueries(trpc.billing.pathFilter());
        if (isComplete) {
          toast({ title: 'Payment method saved', description: 'We’ll charge it for future invoices.' });
        }
      },
    }),
  );
  const mayComplete = may('billing:write');
  const { mutate } = complete;
  useEffect(() => {
    if (sessionId !== null && mayComplete && handled.current !== sessionId) {
      handled.current = sessionId;
      mutate({ sessionId });
    }
    if (sessionId !== null || isBackFromPortal) {
      router.replace(BILLING_PATH);
    }
  }, [sessionId, isBackFromPortal, mayComplete, mutate, router]);
  return complete.error === null ? null : (
    <div className="mb-6">
      <FailureNotice error={complete.error} />
    </div>
  );
}
