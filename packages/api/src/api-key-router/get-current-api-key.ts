import * as identity from '@penstock/identity';
import { procedure } from '../trpc/trpc.ts';

/** Open to every role: a key may know what it is. */
export const getCurrentApiKey = procedure('organization:read').query(({ ctx }) => ctx.run(identity.getCurrentApiKey));
