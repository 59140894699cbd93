import { emailAddress, memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';

export const inviteMemberInput = z.object({ email: emailAddress, role: memberRole });
