// Members of an organization.
import * as identity from '@penstock/identity';
import { clusterRoleEntries, memberRole } from '@penstock/identity/inputs';
import { notFound } from '@penstock/platform';
import { z } from 'zod';
import { OWN_ACCOUNT, PERSONAL } from '../operation/reasons.ts';
import { clusterRoles, exampleIds, roleName } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';

const { mutation, query } = operations('Organization');

const memberRoleSchema = z.object({ userId: z.string(), email: z.string(), role: roleName, clusterRoles }).meta({
  id: 'MemberRole',
  example: { userId: exampleIds.user, email: 'ada@example.com', role: 'viewer', clusterRoles: [] },
});

/** Omitted fields stay as they are. */
const changeMemberRoleInput = z.object({
  userId: z.string().max(64),
  role: memberRole.optional(),
  /** Roles for single clusters, on top of the role. Replaces all of them. */
  clusterRoles: clusterRoleEntries.optional(),
});

function memberOf(members: readonly identity.MemberRow[], userId: unknown): identity.MemberRow {
  const member = members.find((other) => other.userId === userId);
  if (member === undefined) {
    throw notFound('member');
  }
  return member;
}

export const memberOperations = {
  get: query({
    access: 'member:read',
    input: z.object({ userId: z.string().max(64) }),
    run: async ({ ctx, input }) => memberOf(await ctx.run(identity.listMembers), input.userId),
    rest: ({ one }) =>
      one({
        route: 'GET /members/{userId}',
        id: 'getMemberRole',
        summary: 'Get a member’s role',
        schema: memberRoleSchema,
      }),
  }),
  changeRole: mutation({
    access: 'member:write',
    confirmation: 'always',
    audit: ['member.change-role', 'member.change-cluster-roles', 'api-key.lower-role', 'api-key.revoke'],
    input: changeMemberRoleInput,
    example: { role: 'viewer' },
    run: ({ ctx, input: { userId, role, clusterRoles } }) =>
      ctx.run(async (scope) => {
        if (clusterRoles !== undefined) {
          await identity.setClusterRoles(scope, { userId, clusterRoles });
        }
        return role === undefined
          ? identity.findMember(scope, userId)
          : identity.changeMemberRole(scope, { userId, role });
      }),
    rest: ({ one }) =>
      one({
        route: 'PATCH /members/{userId}',
        id: 'changeMemberRole',
        summary: 'Change a member’s role',
        description:
          '`clusterRoles` are roles for single clusters, on top of `role`. A member with the role `none` sees only those clusters.',
        schema: memberRoleSchema,
        current: async (scope, { userId }) => {
          await identity.lockMembers(scope);
          return memberOf(await identity.listMembers(scope), userId);
        },
      }),
  }),
  remove: mutation({
    access: 'member:write',
    confirmation: 'always',
    audit: ['member.remove', 'api-key.revoke'],
    input: z.object({ userId: z.string().max(64) }),
    run: ({ ctx, input }) => ctx.run((scope) => identity.removeMember(scope, input)),
    rest: ({ none }) => none({ route: 'DELETE /members/{userId}', id: 'removeMember', summary: 'Remove a member' }),
  }),
  leave: mutation({
    access: 'organization:read',
    confirmation: not(OWN_ACCOUNT),
    audit: ['member.leave', 'api-key.revoke'],
    run: ({ ctx }) => ctx.run(identity.leaveOrganization),
    rest: PERSONAL,
  }),
  transferOwnership: mutation({
    access: 'owner:write',
    confirmation: 'always',
    audit: ['organization.transfer-ownership', 'member.change-role', 'api-key.lower-role', 'api-key.revoke'],
    input: z.object({ userId: z.string().max(64) }),
    run: ({ ctx, input }) => ctx.run((scope) => identity.transferOwnership(scope, input)),
    rest: 'It gives away the caller’s own ownership; a key owns nothing, and makes owners by changeMemberRole.',
  }),
};
