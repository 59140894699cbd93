// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { monthlyAmountUsd } from '@penstock/billing/inputs';
import { z } from 'zod';

/** Null removes a value; an omitted one stays as it is. */
export const updateBudgetInput = z.object({
  budgetUsd: monthlyAmountUsd.nullish(),
  capUsd: monthlyAmountUsd.nullish(),
});

export { billingDetails as updateBillingDetailsInput } from '@penstock/billing/inputs';
