import { memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';

export const changeMemberRoleInput = z.object({ userId: z.string().max(64), role: memberRole });
