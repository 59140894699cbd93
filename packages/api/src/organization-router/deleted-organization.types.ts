import { z } from 'zod';

export const deletedOrganizationInput = z.object({ organizationId: z.string().max(64) });
