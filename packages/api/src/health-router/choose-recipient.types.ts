import { z } from 'zod';

export const chooseRecipientInput = z.object({ userId: z.string().min(1).max(100), isTold: z.boolean() });
