'use client';

import { Card, Notice, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryState, useTRPC } from '../../../lib/trpc';
import { money } from '../money';
import { AmountForm } from './amount-form';
import { SetCapDialog } from './set-cap-dialog';
import { useRefreshBilling } from './use-refresh-billing';

/** A cap stops writes. No organization has one by default. */
export function CapCard() {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshBilling();
  const budget = useQuery(trpc.billing.budget.queryOptions());
  const draft = useQuery(trpc.billing.draft.queryOptions());
  /** The typed cap until it is confirmed. */
  const [asked, setAsked] = useState<string | null>(null);
  const update = useMutation(
    trpc.billing.updateBudget.mutationOptions({
      onSuccess: async ({ capUsd, writesRefusedReason }) => {
        await refresh();
        setAsked(null);
        toast({
          title: capUsd === null ? 'Spending cap removed' : `Spending cap set to ${money(capUsd)} per month`,
          description:
            writesRefusedReason === null ? 'Writes are allowed.' : 'Usage has reached the cap. Writes are blocked.',
        });
      },
    }),
  );
  return (
    <Card
      title="Spending cap"
      description="Optional. When this month’s usage, before credits, reaches the cap, writes are blocked and producers get the Kafka error POLICY_VIOLATION. Consumers can still read, and nothing is deleted."
    >
      <QueryState query={budget} label="Loading spending cap" rows={2}>
        {({ capUsd, writesRefusedReason }) => (
          <div className="flex flex-col gap-4">
            {writesRefusedReason === null ? null : (
              <Notice tone="warn" title="Writes are blocked">
                Producers see: “{writesRefusedReason}”
              </Notice>
            )}
            <AmountForm
              key={capUsd}
              field="capUsd"
              label="Monthly spending cap"
              hint={
                draft.data === undefined
                  ? 'In US dollars per calendar month, for all clusters in the organization.'
                  : `In US dollars. This month’s usage is ${money(draft.data.subtotalUsd)}. A cap at or below this amount blocks writes immediately.`
              }
              current={capUsd}
              onSave={async (amountUsd) => {
                update.reset();
                setAsked(amountUsd);
              }}
              removal={{
                label: 'Remove cap',
                isPending: update.isPending,
                error: asked === null ? update.error : null,
                onRemove: () => update.mutate({ capUsd: null }),
              }}
            />
            <SetCapDialog
              capUsd={asked}
              costUsd={draft.data?.subtotalUsd}
              onConfirm={() => update.mutateAsync({ capUsd: asked })}
              onClose={() => setAsked(null)}
            />
            <p className="text-ink-3 text-xs leading-5">
              Usage is counted within seconds and checked against the cap every minute, so it can slightly exceed the
              cap. Writes resume within seconds when you raise or remove the cap, or when the next month starts.
            </p>
          </div>
        )}
      </QueryState>
    </Card>
  );
}
