import { listInvitations as list } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

export const listInvitations = procedure('member:write').query(({ ctx }) => ctx.run(list));
