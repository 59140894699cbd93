import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { createBrowseTokenInput } from './create-browse-token.types.ts';

export const createBrowseToken = procedure('record:read')
  .input(createBrowseTokenInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createBrowseToken(scope, ctx.backend, input)));
