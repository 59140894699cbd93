import * as billing from '@penstock/billing';
import * as identity from '@penstock/identity';
import * as tenancy from '@penstock/tenancy';
import { procedure, router } from '../trpc/trpc.ts';
import { addSsoDomainInput, createScimTokenInput, scimTokenInput, ssoDomainInput, updateSsoInput } from './inputs.ts';

export const ssoRouter = router({
  /** Includes the URLs to register with the provider. */
  get: procedure('sso:write').query(async ({ ctx }) => {
    const { webUrl } = ctx.backend;
    return {
      ...(await ctx.run(identity.getSso)),
      callbackUrl: identity.ssoCallbackUrl(webUrl),
      samlEntityId: identity.samlEntityId(webUrl, ctx.tenant.organizationId),
      samlConsumerUrl: identity.samlConsumerUrl(webUrl),
    };
  }),
  update: procedure('sso:write', { confirmation: 'always' })
    .input(updateSsoInput)
    .mutation(async ({ ctx, input: { samlMetadataUrl, ...input } }) => {
      const { secretBox, outbound } = ctx.backend;
      const tools = { secretBox, policy: outbound };
      // Read before the transaction, which must not wait for a provider.
      const samlMetadata =
        samlMetadataUrl === undefined
          ? input.samlMetadata
          : await identity.fetchSamlMetadata(samlMetadataUrl, tools.policy);
      const { session } = ctx;
      return ctx.run(async (scope) => {
        // An owner without a second factor could not use another sign-in method once it is required.
        const isRequired = (await identity.getSso(scope)).connection?.isRequired === true;
        if (input.isRequired === true && !isRequired && session !== null) {
          const acting = { userId: session.user.id, isSso: session.ssoOrganizationId !== null };
          await identity.requireSecondFactor(scope, acting);
        }
        return identity.updateSso(scope, { ...input, samlMetadata, samlMetadataUrl }, tools);
      });
    }),
  remove: procedure('sso:write', { confirmation: 'always' }).mutation(({ ctx }) => ctx.run(identity.removeSso)),
  addDomain: procedure('sso:write', { confirmation: 'always' })
    .input(addSsoDomainInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.addSsoDomain(scope, input))),
  verifyDomain: procedure('sso:write', { confirmation: 'always' })
    .input(ssoDomainInput)
    .mutation(({ ctx, input }) => {
      const { backend, tenant, run } = ctx;
      // Runs before the change, because an outcome stored for a repeat is that of the change alone.
      const read: typeof run = (work) =>
        tenancy.inTenant(backend.database, tenant.organizationId, (tx) => work({ ...tenant, tx }));
      return identity.verifySsoDomain({ read, change: run, onVerified: billing.claimCreditsForDomain }, input);
    }),
  removeDomain: procedure('sso:write', { confirmation: 'always' })
    .input(ssoDomainInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.removeSsoDomain(scope, input))),
  /** Where the provider provisions members, and with which tokens. */
  scim: procedure('sso:write').query(async ({ ctx }) => ({
    endpointUrl: `${ctx.backend.webUrl}/scim/v2`,
    tokens: await ctx.run(identity.listScimTokens),
  })),
  createScimToken: procedure('sso:write', { confirmation: 'always' })
    .input(createScimTokenInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.createScimToken(scope, input))),
  revokeScimToken: procedure('sso:write', { confirmation: 'always' })
    .input(scimTokenInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.revokeScimToken(scope, input))),
});
