import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { createBrowseTokenInput } from './create-browse-token.types.ts';

export const createBrowseToken = procedure('record:read')
  .input(createBrowseTokenInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.createBrowseToken(scope, ctx.backend, input)));
