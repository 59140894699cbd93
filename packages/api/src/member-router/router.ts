import * as identity from '@penstock/identity';
import { memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';
import { procedure, router } from '../trpc/trpc.ts';

const changeMemberRoleInput = z.object({ userId: z.string().max(64), role: memberRole });

const removeMemberInput = z.object({ userId: z.string().max(64) });

const transferOwnershipInput = z.object({ userId: z.string().max(64) });

export const memberRouter = router({
  changeRole: procedure('member:write', { confirmation: 'always' })
    .input(changeMemberRoleInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.changeMemberRole(scope, input))),
  remove: procedure('member:write', { confirmation: 'always' })
    .input(removeMemberInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.removeMember(scope, input))),
  leave: procedure('organization:read').mutation(({ ctx }) => ctx.run(identity.leaveOrganization)),
  transferOwnership: procedure('owner:write', { confirmation: 'always' })
    .input(transferOwnershipInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.transferOwnership(scope, input))),
});
