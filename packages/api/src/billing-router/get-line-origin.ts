import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { getLineOriginInput } from './get-line-origin.types.ts';

export const getLineOrigin = procedure('billing:read')
  .input(getLineOriginInput)
  .query(({ ctx, input }) => ctx.run((scope) => services.getLineOrigin(scope, input)));
