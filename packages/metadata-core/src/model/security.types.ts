// The types of commands about users, ACLs, quotas and the settings of access control. Numbers of mechanisms and ACLs are Kafka's, as they
// arrived: a command may contain some that are refused.
import type { AclBinding, QuotaEntity, ScramCredential, SecuritySettings } from './security.ts';

export interface ErrorResult {
  errorCode: number;
  /** Empty when there was no error. */
  errorMessage: string;
}

/** Adds, replaces and removes SCRAM verifiers. All alterations of a user are applied, or none. */
export interface AlterUserScramCredentials {
  kind: 'alter-user-scram-credentials';
  upserts: Omit<ScramCredential, 'createdAtMs'>[];
  deletions: { user: string; mechanism: number }[];
}
export interface AlterUserScramCredentialsAnswer {
  /** One per user, in the order in which they first occur: upserts first. */
  results: (ErrorResult & { user: string })[];
}

/** An ACL that exists already is a success. */
export interface CreateAcls {
  kind: 'create-acls';
  bindings: AclBinding[];
}
export interface CreateAclsAnswer {
  /** In the order of the request. */
  results: ErrorResult[];
}

/** Kafka's AclBindingFilter. Null, and the number 1 (ANY), match everything. */
export interface AclFilter {
  resourceType: number;
  resourceName: string | null;
  /** 2 (MATCH) finds all patterns that apply to the resource of this name. */
  patternType: number;
  principal: string | null;
  host: string | null;
  operation: number;
  permissionType: number;
}

export interface DeleteAcls {
  kind: 'delete-acls';
  filters: AclFilter[];
}
export interface DeleteAclsAnswer {
  /** In the order of the filters. An ACL that several filters match is in the results of each. */
  results: (ErrorResult & { deleted: AclBinding[] })[];
}

/** Sets and removes quotas. All ops of an entity are applied, or none. */
export interface AlterClientQuotas {
  kind: 'alter-client-quotas';
  alterations: QuotaAlteration[];
  validateOnly: boolean;
}
export interface QuotaAlteration extends QuotaEntity {
  ops: QuotaOp[];
}
export interface QuotaOp {
  key: string;
  /** The value; null removes it. */
  value: number | null;
}
export interface AlterClientQuotasAnswer {
  /** In the order of the request. */
  results: ErrorResult[];
}

export interface UpdateSecuritySettings {
  kind: 'update-security-settings';
  /** Replaces all of them. */
  settings: SecuritySettings;
  /** The version of the security state from which the change was made. 0: any. */
  expectedVersion: number;
}
export interface UpdateSecuritySettingsAnswer {
  refused: 'version-changed' | 'invalid' | null;
  /** For people: what is wrong, and what to do. Empty when nothing is. */
  message: string;
}
