import { z } from 'zod';

export const endSilenceInput = z.object({ silenceId: z.uuid() });
