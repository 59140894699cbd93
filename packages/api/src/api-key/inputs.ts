// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import {
  apiKeyLifetimeDays,
  apiKeyName,
  apiKeyOverlapHours,
  clusterRoleEntries,
  memberRole,
} from '@penstock/identity/inputs';
import { z } from 'zod';

export const createApiKeyInput = z.object({
  name: apiKeyName,
  role: memberRole,
  /** Roles for single clusters, on top of the role. */
  clusterRoles: clusterRoleEntries.default([]),
  /** Rejects every change, even if the role allows it. */
  isReadOnly: z.boolean().default(false),
  /** Null: valid until it is revoked. */
  lifetimeDays: apiKeyLifetimeDays.nullable().default(null),
});

export const rotateApiKeyInput = z.object({ apiKeyId: z.uuid(), overlapHours: apiKeyOverlapHours.default(24) });
