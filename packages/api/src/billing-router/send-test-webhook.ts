import * as services from '@penstock/services';
import { procedure } from '../trpc/trpc.ts';

export const sendTestWebhook = procedure('billing:write').mutation(({ ctx }) => ctx.run(services.sendTestWebhook));
