import { z } from 'zod';

export const removeMemberInput = z.object({ userId: z.string().max(64) });
