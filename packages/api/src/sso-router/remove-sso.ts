import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const removeSso = procedure('sso:write').mutation(({ ctx }) => ctx.run(services.removeSso));
