import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

export const listApiKeys = procedure('api-key:read').query(({ ctx }) => ctx.run(identity.listApiKeys));
