import { router } from '../trpc/trpc.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { inviteMember } from './invite-member.ts';
import { listInvitations } from './list-invitations.ts';
import { listReceivedInvitations } from './list-received-invitations.ts';
import { previewInvitation } from './preview-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

export const invitationRouter = router({
  create: inviteMember,
  list: listInvitations,
  listReceived: listReceivedInvitations,
  preview: previewInvitation,
  accept: acceptInvitation,
  revoke: revokeInvitation,
});
