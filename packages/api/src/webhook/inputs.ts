// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { webhookUrl } from '@penstock/billing/inputs';
import { z } from 'zod';

/** Null removes it. */
export const updateWebhookInput = z.object({ webhookUrl: webhookUrl.nullable() });
