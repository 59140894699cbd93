'use client';

import { PageHeader } from '../../shell';
import { CreditsCard } from './credits-card';
import { DailyCostCard } from './daily-cost-card';
import { DraftCard } from './draft-card';
import { InvoicesCard } from './invoices-card';
import { PaymentReturn } from './payment-return';
import { SpendStats } from './spend-stats';

/** The month's cost so far, its forecast, and past payments. */
export function BillingPage() {
  return (
    <>
      <PageHeader
        title="Billing"
        description="You pay for the data that producers write and for cluster minutes. We invoice each month after it ends. Dates and times are in UTC."
      />
      <PaymentReturn />
      <div className="flex flex-col gap-6">
        <SpendStats />
        <DailyCostCard />
        <DraftCard />
        <div className="grid gap-6 lg:grid-cols-2">
          <InvoicesCard />
          <CreditsCard />
        </div>
      </div>
    </>
  );
}
