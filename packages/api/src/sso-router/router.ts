import * as identity from '@penstock/identity';
import * as tenancy from '@penstock/tenancy';
import { procedure, router } from '../trpc/trpc.ts';
import { addSsoDomainInput, ssoDomainInput, updateSsoInput } from './inputs.ts';

export const ssoRouter = router({
  /** With the address to which the provider has to send browsers back. */
  get: procedure('sso:write').query(async ({ ctx }) => ({
    ...(await ctx.run(identity.getSso)),
    callbackUrl: identity.ssoCallbackUrl(ctx.backend.webUrl),
  })),
  update: procedure('sso:write')
    .input(updateSsoInput)
    .mutation(({ ctx, input }) => {
      const { secretBox, isEmbedded } = ctx.backend;
      const tools = { secretBox, policy: { isLoopbackAllowed: isEmbedded } };
      return ctx.run((scope) => identity.updateSso(scope, input, tools));
    }),
  remove: procedure('sso:write').mutation(({ ctx }) => ctx.run(identity.removeSso)),
  addDomain: procedure('sso:write')
    .input(addSsoDomainInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.addSsoDomain(scope, input))),
  verifyDomain: procedure('sso:write')
    .input(ssoDomainInput)
    .mutation(({ ctx, input }) => {
      const { backend, tenant, run } = ctx;
      // What comes before the change: an outcome that is kept for a repetition is that of the change alone.
      const read: typeof run = (work) =>
        tenancy.inTenant(backend.database, tenant.organizationId, (tx) => work({ ...tenant, tx }));
      return identity.verifySsoDomain({ read, change: run }, input);
    }),
  removeDomain: procedure('sso:write')
    .input(ssoDomainInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.removeSsoDomain(scope, input))),
});
