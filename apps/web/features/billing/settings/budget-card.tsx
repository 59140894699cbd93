'use client';

import { updateBudgetInput } from '@penstock/api/inputs';
import { Card, useToast } from '@penstock/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { firstFaults } from '../../../lib/forms';
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
  const update = useMutation(
    trpc.billing.updateBudget.mutationOptions({
      onSuccess: async ({ budgetUsd }) => {
        await refresh();
        toast({ title: budgetUsd === null ? 'Budget removed' : `Budget set to ${money(budgetUsd)} per month` });
      },
    }),
  );
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
              label="Monthly budget"
              hint="In US dollars per calendar month, for all clusters in the organization."
              current={budgetUsd}
              onSave={(text) => {
                const parsed = updateBudgetInput.safeParse({ budgetUsd: text });
                if (!parsed.success) {
                  return firstFaults(parsed.error)['budgetUsd'];
                }
                update.mutate(parsed.data);
                return undefined;
              }}
              onRemove={() => update.mutate({ budgetUsd: null })}
              removeLabel="Remove budget"
              isPending={update.isPending}
              error={update.error}
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
