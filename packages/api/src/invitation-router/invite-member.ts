import { inviteMember as invite } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { inviteMemberInput } from './invite-member.types.ts';

export const inviteMember = procedure('member:write')
  .input(inviteMemberInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => invite(scope, ctx.backend.webUrl, input)));
