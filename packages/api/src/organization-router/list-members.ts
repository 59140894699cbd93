import { listMembers as list } from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const listMembers = procedure('member:read').query(({ ctx }) => ctx.run(list));
