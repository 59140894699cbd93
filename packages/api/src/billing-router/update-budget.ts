import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { updateBudgetInput } from './update-budget.types.ts';

export const updateBudget = procedure('billing:write')
  .input(updateBudgetInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => billing.updateBudget(scope, input, ctx.backend.webUrl)));
