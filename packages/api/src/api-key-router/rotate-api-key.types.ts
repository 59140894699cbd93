import { apiKeyOverlap_hours } from '@penstock/identity/inputs';
import { z } from 'zod';

export const rotateApiKeyInput = z.object({ apiKeyId: z.uuid(), overlapHours: apiKeyOverlap_hours.default(24) });
