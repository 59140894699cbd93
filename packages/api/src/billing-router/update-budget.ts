import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { updateBudgetInput } from './update-budget.types.ts';

export const updateBudget = procedure('billing:write')
  .input(updateBudgetInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.updateBudget(scope, input, ctx.backend.webUrl)));
