import { z } from 'zod';

export const revokeSessionInput = z.object({ sessionId: z.string().max(64) });
