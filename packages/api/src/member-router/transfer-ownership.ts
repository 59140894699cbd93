import { transferOwnership as transfer } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { transferOwnershipInput } from './transfer-ownership.types.ts';

export const transferOwnership = procedure('owner:write')
  .input(transferOwnershipInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => transfer(scope, input)));
