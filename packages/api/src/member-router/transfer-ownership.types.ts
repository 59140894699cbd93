import { z } from 'zod';

export const transferOwnershipInput = z.object({ userId: z.string().max(64) });
