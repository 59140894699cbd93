'use client';

import { Card, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { DateTime } from '../../../lib/time';
import { QueryState, useTRPC } from '../../../lib/trpc';
import { money } from '../money';
import { AmountForm } from './amount-form';
import { useRefreshBilling } from './use-refresh-billing';

/** A budget sends alerts and stops nothing. */
export function BudgetCard() {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefreshBilling();
  const budget = useQuery(trpc.billing.budget.queryOptions());
  const options = trpc.billing.updateBudget.mutationOptions({
    onSuccess: async ({ budgetUsd }) => {
      await refresh();
      toast({ title: budgetUsd === null ? 'Budget removed' : `Budget set to ${money(budgetUsd)} per month` });
    },
  });
  const save = useMutation(options);
  const remove = useMutation(options);
  return (
    <Card
      title="Budget"
      description="We send an email and a webhook event when this month’s usage, before credits, reaches 50%, 80% and 100% of the budget. A budget doesn’t block writes."
    >
      <QueryState query={budget} label="Loading budget" rows={2}>
        {({ budgetUsd, alerts }) => (
          <div className="flex flex-col gap-4">
            <AmountForm
              key={budgetUsd}
              field="budgetUsd"
              label="Monthly budget"
              hint="In US dollars per calendar month, for all clusters in the organization."
              current={budgetUsd}
              onSave={(amountUsd) => save.mutateAsync({ budgetUsd: amountUsd })}
              removal={{
                label: 'Remove budget',
                isPending: remove.isPending,
                error: remove.error,
                onRemove: () => remove.mutate({ budgetUsd: null }),
              }}
            />
            {alerts.length === 0 ? null : (
              <ul className="flex flex-col gap-1 text-ink-2 text-sm">
                {alerts.map((alert) => (
                  <li key={alert.percent}>
                    {alert.percent}% of {money(alert.budgetUsd)}: alert sent on <DateTime timeMs={alert.at.getTime()} />
                    , at {money(alert.costUsd)}
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </QueryState>
    </Card>
  );
}
