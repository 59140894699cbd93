// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { clusterRoleEntries, emailAddress, memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';

export const inviteMemberInput = z.object({
  email: emailAddress,
  role: memberRole,
  clusterRoles: clusterRoleEntries.optional().meta({ description: 'Roles for single clusters, on top of the role.' }),
});
