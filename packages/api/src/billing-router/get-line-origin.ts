import * as billing from '@penstock/billing';
import { procedure } from '../trpc/trpc.ts';
import { getLineOriginInput } from './get-line-origin.types.ts';

export const getLineOrigin = procedure('billing:read')
  .input(getLineOriginInput)
  .query(({ ctx, input }) => ctx.run((scope) => billing.getLineOrigin(scope, input)));
