import { z } from 'zod';

export const previewInvitationInput = z.object({ token: z.string().min(1).max(128) });
