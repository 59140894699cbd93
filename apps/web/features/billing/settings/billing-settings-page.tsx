'use client';

import { PageHeader } from '../../shell';
import { BudgetCard } from './budget-card';
import { CapCard } from './cap-card';
import { DetailsCard } from './details-card';
import { PaymentCard } from './payment-card';
import { WebhookCard } from './webhook-card';

/** Payment method, billing details, budget alerts and the spending cap. */
export function BillingSettingsPage() {
  return (
    <>
      <PageHeader
        title="Billing settings"
        description="Payment method, billing details, budget, spending cap and webhook."
      />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <PaymentCard />
          <BudgetCard />
          <CapCard />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <DetailsCard />
          <WebhookCard />
        </div>
      </div>
    </>
  );
}
