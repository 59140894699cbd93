import { z } from 'zod';

export const revokeInvitationInput = z.object({ invitationId: z.string().max(64) });
