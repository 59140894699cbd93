import * as identity from '@penstock/identity';
import { clusterRoleEntries, memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';
import { procedure, router } from '../trpc/trpc.ts';

/** Omitted fields stay as they are. */
const changeMemberRoleInput = z.object({
  userId: z.string().max(64),
  role: memberRole.optional(),
  /** Roles for single clusters, on top of the role. Replaces all of them. */
  clusterRoles: clusterRoleEntries.optional(),
});

const removeMemberInput = z.object({ userId: z.string().max(64) });

const transferOwnershipInput = z.object({ userId: z.string().max(64) });

export const memberRouter = router({
  changeRole: procedure('member:write', { confirmation: 'always' })
    .input(changeMemberRoleInput)
    .mutation(({ ctx, input: { userId, role, clusterRoles } }) =>
      ctx.run(async (scope) => {
        if (clusterRoles !== undefined) {
          await identity.setClusterRoles(scope, { userId, clusterRoles });
        }
        return role === undefined
          ? identity.findMember(scope, userId)
          : identity.changeMemberRole(scope, { userId, role });
      }),
    ),
  remove: procedure('member:write', { confirmation: 'always' })
    .input(removeMemberInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.removeMember(scope, input))),
  leave: procedure('organization:read').mutation(({ ctx }) => ctx.run(identity.leaveOrganization)),
  transferOwnership: procedure('owner:write', { confirmation: 'always' })
    .input(transferOwnershipInput)
    .mutation(({ ctx, input }) => ctx.run((scope) => identity.transferOwnership(scope, input))),
});
