import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';
import { chooseRecipientInput } from './choose-recipient.types.ts';

export const chooseRecipient = procedure('cluster:write')
  .input(chooseRecipientInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => services.chooseRecipient(scope, input)));
