// Inputs of the api key procedures. Client-safe: imports nothing but zod and what is pure.
import { apiKeyLifetime_days, apiKeyName, apiKeyOverlap_hours, memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';

export const createApiKeyInput = z.object({
  name: apiKeyName,
  role: memberRole,
  /** Rejects every change, even if the role allows it. */
  isReadOnly: z.boolean().default(false),
  /** Null: until it is revoked. */
  lifetimeDays: apiKeyLifetime_days.nullable().default(null),
});

export const revokeApiKeyInput = z.object({ apiKeyId: z.uuid() });

export const rotateApiKeyInput = z.object({ apiKeyId: z.uuid(), overlapHours: apiKeyOverlap_hours.default(24) });
