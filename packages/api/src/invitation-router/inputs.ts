// Inputs of the invitation procedures. Client-safe: imports only zod and pure modules.
import { clusterRoleEntries, emailAddress, memberRole } from '@penstock/identity/inputs';
import { z } from 'zod';

/** By the token in the mail's link, or by id from the user's list of open invitations. */
export const acceptInvitationInput = z.union([
  z.object({ token: z.string().min(1).max(128) }),
  z.object({ invitationId: z.string().max(64) }),
]);

export const inviteMemberInput = z.object({
  email: emailAddress,
  role: memberRole,
  clusterRoles: clusterRoleEntries.optional().meta({ description: 'Roles for single clusters, on top of the role.' }),
});

export const previewInvitationInput = z.object({ token: z.string().min(1).max(128) });

export const revokeInvitationInput = z.object({ invitationId: z.string().max(64) });
