import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';

/** What is left, and the entries that made it. */
export const getCredits = procedure('billing:read').query(({ ctx }) =>
  ctx.run(async (scope) => ({
    balanceUsd: await billing.creditBalance(scope),
    entries: await billing.listCreditEntries(scope),
  })),
);
