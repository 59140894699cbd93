// What the form of a connection holds.
import type { ProvisionedRole } from '@penstock/identity/inputs';

export interface GroupRole {
  group: string;
  role: ProvisionedRole;
}

export interface GroupRoles {
  groupsClaim: string;
  groupRoles: GroupRole[];
  isGroupRequired: boolean;
}

export interface ConnectionValues {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** A URL or a document. */
  samlMetadata: string;
  defaultRole: ProvisionedRole;
  isRequired: boolean;
  groups: GroupRoles;
}
