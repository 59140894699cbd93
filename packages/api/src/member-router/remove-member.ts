import { removeMember as remove } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';
import { removeMemberInput } from './remove-member.types.ts';

export const removeMember = procedure('member:write')
  .input(removeMemberInput)
  .mutation(({ ctx, input }) => ctx.run((scope) => remove(scope, input)));
