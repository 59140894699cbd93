import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const listApiKeys = procedure('api-key:read').query(({ ctx }) => ctx.run(services.listApiKeys));
