export { InvitationPanel } from './invitation-panel';
export { ReceivedInvitations } from './received-invitations';
