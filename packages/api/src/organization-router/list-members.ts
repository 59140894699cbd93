import { listMembers as list } from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

export const listMembers = procedure('member:read').query(({ ctx }) => ctx.run(list));
