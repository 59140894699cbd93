// Authentication and membership: accounts, sign-in, members, invitations and API keys.

export {
  membershipEnded,
  requireAccess,
  requirePermission,
  requirePermissionForAll,
  signedOut,
  twoFactorRequired,
} from './access/require-access.ts';
export { type AccountSession, listAccountSessions, revokeAccountSession } from './account/account-sessions.ts';
export { expireAccountsData } from './account/expire-accounts-data.ts';
export { type AccountSecurity, getAccountSecurity } from './account/get-account-security.ts';
export { type ApiKey, apiKeyColumns, type CreatedApiKey } from './api-key/api-key.ts';
export { auditApiKeyUse } from './api-key/audit-api-key-use.ts';
export { type ApiKeyPrincipal, authenticateApiKey, bearerToken } from './api-key/authenticate-api-key.ts';
export { createApiKey } from './api-key/create-api-key.ts';
export { getCurrentApiKey } from './api-key/get-current-api-key.ts';
export { listApiKeys } from './api-key/list-api-keys.ts';
export { revokeApiKey } from './api-key/revoke-api-key.ts';
export { rotateApiKey } from './api-key/rotate-api-key.ts';
export { identityAudit } from './audit-actions.ts';
export { requireConfirmation } from './auth/confirm-identity.ts';
export { type Auth, type AuthSession, createAuth, type SessionUser } from './auth/create-auth.ts';
export { hashPassword, verifyPassword } from './auth/passwords.ts';
export { acceptInvitation, type InvitationReference } from './invitation/accept-invitation.ts';
export type { Invitation } from './invitation/invitation.ts';
export { inviteMember } from './invitation/invite-member.ts';
export { limitInvitations } from './invitation/limit-invitations.ts';
export { listInvitations, listReceivedInvitations, type ReceivedInvitation } from './invitation/list-invitations.ts';
export { type InvitationPreview, previewInvitation } from './invitation/preview-invitation.ts';
export { revokeInvitation } from './invitation/revoke-invitation.ts';
export { changeMemberRole } from './member/change-member-role.ts';
export { leaveOrganization } from './member/leave-organization.ts';
export { findActingMember, findMember, lockMembers, type Member } from './member/member.ts';
export { ownerAddresses } from './member/owner-addresses.ts';
export { removeMember } from './member/remove-member.ts';
export { setClusterRoles } from './member/set-cluster-roles.ts';
export { transferOwnership } from './member/transfer-ownership.ts';
export { getOrganization, type Organization } from './organization/get-organization.ts';
export { listMembers, type MemberRow } from './organization/list-members.ts';
export {
  type ClosedMemberships,
  listClosedMemberships,
  listMemberships,
  type Membership,
} from './organization/list-memberships.ts';
export { requireRoomForMembership } from './organization/membership-limit.ts';
export { getSessionLifetime, type SessionLifetime, setSessionLifetime } from './organization/session-lifetime.ts';
export { setActiveOrganization } from './organization/set-active-organization.ts';
export {
  getTwoFactorDemand,
  requireSecondFactor,
  setTwoFactorDemand,
  type TwoFactorDemand,
} from './organization/two-factor-demand.ts';
export {
  createScimUser,
  deleteScimUser,
  type ScimUserFacts,
  updateScimUser,
} from './scim/provision-users.ts';
export {
  createScimGroup,
  deleteScimGroup,
  getScimGroup,
  listScimGroups,
  type ScimGroup,
  type ScimGroupFacts,
  type ScimGroupFilter,
  updateScimGroup,
} from './scim/scim-groups.ts';
export {
  authenticateScimToken,
  type CreatedScimToken,
  createScimToken,
  listScimTokens,
  noteScimError,
  revokeScimToken,
  type ScimPrincipal,
  type ScimToken,
} from './scim/scim-tokens.ts';
export { getScimUser, listScimUsers, type ScimUser, type ScimUserFilter } from './scim/scim-user.ts';
export { type ResealedColumn, resealSecrets } from './secrets/reseal-secrets.ts';
export { checkSsoDomains } from './sso/check-domains.ts';
export type { GroupRole } from './sso/group-roles.ts';
export { callbackUrl as ssoCallbackUrl } from './sso/login-in-hand.ts';
export { type ProvisionedRole, provisionedRoles } from './sso/provisioned-roles.ts';
export { refreshSamlMetadata } from './sso/refresh-saml-metadata.ts';
export { fetchSamlMetadata, samlConsumerUrl, samlEntityId } from './sso/saml-metadata.ts';
export {
  addSsoDomain,
  listSsoDomains,
  removeSsoDomain,
  type SsoDomainView,
  verifySsoDomain,
} from './sso/sso-domains.ts';
export {
  getSso,
  lockSsoConnection,
  removeSso,
  type SsoChange,
  type SsoProtocol,
  type SsoSettings,
  updateSso,
} from './sso/sso-settings.ts';
