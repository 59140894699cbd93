import * as clusters from '@penstock/clusters';
import { procedure } from '../trpc/trpc.ts';
import { chooseRecipientInput } from './choose-recipient.types.ts';

export const chooseRecipient = procedure('cluster:write')
  .input(chooseRecipientInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => clusters.chooseRecipient(scope, input)));
