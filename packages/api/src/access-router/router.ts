import * as clusters from '@penstock/clusters';
import { procedure, router } from '../trpc/trpc.ts';
import {
  createAclsInput,
  deleteAclsInput,
  deleteUserInput,
  listAccessInput,
  putUserCredentialInput,
  setQuotaInput,
  updateSecuritySettingsInput,
} from './inputs.ts';

export const accessRouter = router({
  listUsers: procedure('access:read')
    .input(listAccessInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listUsers(scope, ctx.backend.metadata, input.clusterId))),
  putUserCredential: procedure('access:write', { confirmation: 'always' })
    .input(putUserCredentialInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.putUserCredential(scope, ctx.backend.metadata, input))),
  deleteUser: procedure('access:write', { confirmation: 'always' })
    .input(deleteUserInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteUser(scope, ctx.backend.metadata, input))),
  listDeniedRequests: procedure('access:read')
    .input(listAccessInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listDeniedRequests(scope, input.clusterId))),
  listAcls: procedure('access:read')
    .input(listAccessInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listAcls(scope, ctx.backend.metadata, input.clusterId))),
  createAcls: procedure('access:write', { confirmation: 'always' })
    .input(createAclsInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.createAcls(scope, ctx.backend.metadata, input))),
  deleteAcls: procedure('access:write', { confirmation: 'always' })
    .input(deleteAclsInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.deleteAcls(scope, ctx.backend.metadata, input))),
  getSettings: procedure('access:read')
    .input(listAccessInput)
    .query(({ ctx, input }) =>
      ctx.run((scope) => clusters.getSecuritySettings(scope, ctx.backend.metadata, input.clusterId)),
    ),
  updateSettings: procedure('access:write', { confirmation: 'always' })
    .input(updateSecuritySettingsInput)
    .mutation(({ ctx, input }) =>
      ctx.run((scope) => clusters.updateSecuritySettings(scope, ctx.backend.metadata, input)),
    ),
  listQuotas: procedure('access:read')
    .input(listAccessInput)
    .query(({ ctx, input }) => ctx.run((scope) => clusters.listQuotas(scope, ctx.backend.metadata, input.clusterId))),
  setQuota: procedure('access:write')
    .input(setQuotaInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => clusters.setQuota(scope, ctx.backend.metadata, input))),
});
