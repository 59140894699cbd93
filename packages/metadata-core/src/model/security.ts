// Users, ACLs, quotas and the settings of access control. Entries are immutable, because a snapshot in progress may read them later: a
// command replaces them.

/** Whether ACLs are checked, and whether what they deny is refused (`enforced`) or only reported (`shadow`). */
export const ACL_MODES = ['disabled', 'shadow', 'enforced'] as const;
export type AclMode = (typeof ACL_MODES)[number];

/** Whether clients must authenticate. A credential that has expired still exists: its expiry must not open the cluster. */
export const AUTHENTICATION_REQUIREMENTS = ['when-credentials-exist', 'always', 'never'] as const;
export type AuthenticationRequirement = (typeof AUTHENTICATION_REQUIREMENTS)[number];

export interface SecuritySettings {
  /** Principals that may do everything, such as "User:admin". */
  readonly superUsers: readonly string[];
  /** Same as Kafka's allow.everyone.if.no.acl.found. */
  readonly allowEveryoneIfNoAclFound: boolean;
  readonly aclMode: AclMode;
  readonly authentication: AuthenticationRequirement;
}

/** A SCRAM verifier (RFC 5802, section 3). It never contains the password. */
export interface ScramCredential {
  readonly user: string;
  /** A number of `ScramMechanism`. */
  readonly mechanism: number;
  readonly salt: Uint8Array;
  readonly storedKey: Uint8Array;
  readonly serverKey: Uint8Array;
  readonly iterations: number;
  readonly createdAtMs: number;
  /** The expiry time; 0 for never. */
  readonly expiresAtMs: number;
}

/** Kafka's AclBinding, with its numbers: see `ResourceType`, `PatternType`, `AclOperation` and `AclPermission`. */
export interface AclBinding {
  readonly resourceType: number;
  readonly resourceName: string;
  readonly patternType: number;
  readonly principal: string;
  readonly host: string;
  readonly operation: number;
  readonly permissionType: number;
}

/** Whom a quota limits. Null: the quota doesn't depend on it. Empty: the default of all that have no quota of their own. */
export interface QuotaEntity {
  readonly user: string | null;
  readonly clientId: string | null;
}

export const QUOTA_KEYS = ['producer_byte_rate', 'consumer_byte_rate', 'request_percentage'] as const;
export type QuotaKey = (typeof QUOTA_KEYS)[number];

export interface ClientQuota extends QuotaEntity {
  /** The values, at least one. */
  readonly values: ReadonlyMap<QuotaKey, number>;
}

export interface Security {
  /** Increases with each change; 0: nothing was ever set. */
  version: number;
  settings: SecuritySettings;
  /** The credentials by `credentialKey`. */
  readonly credentials: Map<string, ScramCredential>;
  /** By `aclKey`, in the order in which they were created. */
  readonly acls: Map<string, AclBinding>;
  /** The quotas by `quotaKey`. */
  readonly quotas: Map<string, ClientQuota>;
  /** The characters of all names in the ACLs, derived from them. */
  aclChars: number;
}

export const INITIAL_SECURITY_SETTINGS: SecuritySettings = {
  superUsers: [],
  allowEveryoneIfNoAclFound: false,
  aclMode: 'disabled',
  authentication: 'when-credentials-exist',
};

export function createSecurity(): Security {
  return {
    version: 0,
    settings: INITIAL_SECURITY_SETTINGS,
    credentials: new Map(),
    acls: new Map(),
    quotas: new Map(),
    aclChars: 0,
  };
}

export function credentialKey({ user, mechanism }: Pick<ScramCredential, 'user' | 'mechanism'>): string {
  return `${mechanism}:${user}`;
}

/** Lengths separate the names, which may contain any character. */
export function aclKey(acl: AclBinding): string {
  const { resourceType, patternType, operation, permissionType, resourceName, principal, host } = acl;
  const numbers = `${resourceType},${patternType},${operation},${permissionType}`;
  return `${numbers},${resourceName.length},${principal.length}:${resourceName}${principal}${host}`;
}

export function quotaKey({ user, clientId }: QuotaEntity): string {
  return `${user?.length ?? '-'}:${user ?? ''}${clientId === null ? '-' : `+${clientId}`}`;
}

export function aclChars({ resourceName, principal, host }: AclBinding): number {
  return resourceName.length + principal.length + host.length;
}

/** Adds an ACL that is not there yet. */
export function addAcl(security: Security, acl: AclBinding): void {
  security.acls.set(aclKey(acl), acl);
  security.aclChars += aclChars(acl);
}

/** Removes an ACL. False when there was none. */
export function removeAcl(security: Security, acl: AclBinding): boolean {
  const isRemoved = security.acls.delete(aclKey(acl));
  security.aclChars -= isRemoved ? aclChars(acl) : 0;
  return isRemoved;
}
