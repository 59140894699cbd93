// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { webhookUrl } from '@penstock/billing/inputs';
import { z } from 'zod';

/** A null URL removes the webhook. */
export const updateWebhookInput = z.object({ webhookUrl: webhookUrl.nullable() });
