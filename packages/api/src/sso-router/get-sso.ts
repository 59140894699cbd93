import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

/** With the address to which the provider has to send browsers back. */
export const getSso = procedure('sso:write').query(async ({ ctx }) => ({
  ...(await ctx.run(services.getSso)),
  callbackUrl: services.ssoCallbackUrl(ctx.backend.webUrl),
}));
