import * as identity from '@penstock/identity';
import * as lifecycle from '@penstock/lifecycle';
import { inTransaction } from '@penstock/tenancy';
import { procedure, router } from '../trpc/trpc.ts';
import { createOrganization } from './create-organization.ts';
import { deleteOrganization } from './delete-organization.ts';
import { exportDeletedOrganization, exportOrganization } from './export-organization.ts';
import { deletedOrganizationInput, setSessionLifetimeInput } from './inputs.ts';
import { setActiveOrganization } from './set-active-organization.ts';
import { setTwoFactorDemand } from './set-two-factor-demand.ts';

export const organizationRouter = router({
  create: createOrganization,
  get: procedure('organization:read').query(({ ctx }) => ctx.run(identity.getOrganization)),
  setActive: setActiveOrganization,
  listMembers: procedure('member:read').query(({ ctx }) => ctx.run(identity.listMembers)),
  twoFactorDemand: procedure('sso:write').query(({ ctx }) => ctx.run(identity.getTwoFactorDemand)),
  setTwoFactorDemand,
  sessionLifetime: procedure('sso:write').query(({ ctx }) => ctx.run(identity.getSessionLifetime)),
  setSessionLifetime: procedure('sso:write', { confirmation: 'always' })
    .input(setSessionLifetimeInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.setSessionLifetime(scope, input))),
  delete: deleteOrganization,
  /** The organizations that the user owned. */
  listDeleted: procedure('signed-in').query(({ ctx }) =>
    ctx.session.ssoOrganizationId === null
      ? inTransaction(ctx.backend.accounts, (tx) =>
          lifecycle.listDeletedOrganizations(tx, ctx.session.user.id, ctx.now),
        )
      : [],
  ),
  /** For the owners of a deleted organization; to anybody else it does not exist. */
  restore: procedure('signed-in')
    .input(deletedOrganizationInput)
    .mutation(({ ctx, input }) => {
      const { actor, now, backend } = ctx;
      const who = { actor, now, organizationId: input.organizationId };
      return lifecycle.inDeletedOrganization(backend.accounts, who, (scope) =>
        lifecycle.restoreOrganization(scope, { webUrl: backend.webUrl }),
      );
    }),
  export: exportOrganization,
  exportDeleted: exportDeletedOrganization,
});
