import { monthlyAmountUsd } from '@penstock/billing/inputs';
import { z } from 'zod';

/** Null removes, absent leaves. */
export const updateBudgetInput = z.object({
  budgetUsd: monthlyAmountUsd.nullish(),
  capUsd: monthlyAmountUsd.nullish(),
});
