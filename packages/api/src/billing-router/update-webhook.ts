import * as tenancy from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import { updateWebhookInput } from './update-webhook.types.ts';

export const updateWebhook = procedure('billing:write')
  .input(updateWebhookInput)
  .mutation(({ ctx, input }) =>
    ctx.run((scope) =>
      tenancy.updateWebhook(scope, { url: input.webhookUrl }, { isLoopbackAllowed: ctx.backend.isEmbedded }),
    ),
  );
