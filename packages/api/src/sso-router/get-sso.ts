import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

/** With the address to which the provider has to send browsers back. */
export const getSso = procedure('sso:write').query(async ({ ctx }) => ({
  ...(await ctx.run(identity.getSso)),
  callbackUrl: identity.ssoCallbackUrl(ctx.backend.webUrl),
}));
