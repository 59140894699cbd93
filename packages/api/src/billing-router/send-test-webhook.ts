import * as tenancy from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';

export const sendTestWebhook = procedure('billing:write').mutation(({ ctx }) => ctx.run(tenancy.sendTestWebhook));
