import * as tenancy from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';

/** The URL may hold a secret of the receiver, hence not for whoever may only read. */
export const getWebhook = procedure('billing:write').query(({ ctx }) => ctx.run(tenancy.getWebhook));
