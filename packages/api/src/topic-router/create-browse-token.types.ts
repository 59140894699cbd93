import { z } from 'zod';

export const createBrowseTokenInput = z.object({
  clusterId: z.uuid(),
  name: z.string().min(1).max(249),
});
