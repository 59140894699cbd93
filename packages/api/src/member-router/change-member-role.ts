import { changeMemberRole as change } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { changeMemberRoleInput } from './change-member-role.types.ts';

export const changeMemberRole = procedure('member:write')
  .input(changeMemberRoleInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => change(scope, input)));
