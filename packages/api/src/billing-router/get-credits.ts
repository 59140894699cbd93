import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

/** What is left, and the entries that made it. */
export const getCredits = procedure('billing:read').query(({ ctx }) =>
  ctx.run(async (scope) => ({
    balanceUsd: await services.creditBalance(scope),
    entries: await services.listCreditEntries(scope),
  })),
);
