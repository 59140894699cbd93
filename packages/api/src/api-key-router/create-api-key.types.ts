import { apiKeyLifetime_days, apiKeyName, memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';

export const createApiKeyInput = z.object({
  name: apiKeyName,
  role: memberRole,
  /** Refuses whatever changes something, whatever the role allows. */
  isReadOnly: z.boolean().default(false),
  /** Null: until it is revoked. */
  lifetimeDays: apiKeyLifetime_days.nullable().default(null),
});
