import { apiKeyLifetime_days, apiKeyName, memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';

export const createApiKeyInput = z.object({
  name: apiKeyName,
  role: memberRole,
  /** Rejects every change, even if the role allows it. */
  isReadOnly: z.boolean().default(false),
  /** Null: until it is revoked. */
  lifetimeDays: apiKeyLifetime_days.nullable().default(null),
});
