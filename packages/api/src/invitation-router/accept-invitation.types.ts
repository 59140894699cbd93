import { z } from 'zod';

/** By the token of the mail's link, or by id from the list of what waits for the person. */
export const acceptInvitationInput = z.union([
  z.object({ token: z.string().min(1).max(128) }),
  z.object({ invitationId: z.string().max(64) }),
]);
