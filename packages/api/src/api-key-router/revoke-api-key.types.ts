import { z } from 'zod';

export const revokeApiKeyInput = z.object({ apiKeyId: z.uuid() });
