import { z } from 'zod';

export const setActiveOrganizationInput = z.object({ organizationId: z.string().max(64) });
