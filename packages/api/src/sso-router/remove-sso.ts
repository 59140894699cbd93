import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

export const removeSso = procedure('sso:write').mutation(({ ctx }) => ctx.run(identity.removeSso));
