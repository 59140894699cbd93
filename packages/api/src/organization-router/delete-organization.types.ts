import { z } from 'zod';

export const deleteOrganizationInput = z.object({
  /** The organization's exact name. */
  confirmation: z.string().max(64),
  /** Needed when the sign-in was long ago. */
  password: z.string().max(128).nullable().default(null),
});
