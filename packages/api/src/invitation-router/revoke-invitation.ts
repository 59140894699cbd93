import { revokeInvitation as revoke } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { revokeInvitationInput } from './revoke-invitation.types.ts';

export const revokeInvitation = procedure('member:write')
  .input(revokeInvitationInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => revoke(scope, input)));
