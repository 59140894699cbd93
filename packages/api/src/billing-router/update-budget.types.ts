import { monthlyAmountUsd } from '@penstock/services/inputs';
import { z } from 'zod';

/** Null removes, absent leaves. */
export const updateBudgetInput = z.object({
  budgetUsd: monthlyAmountUsd.nullish(),
  capUsd: monthlyAmountUsd.nullish(),
});
