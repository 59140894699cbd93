// Users, ACLs, quotas and the settings of access control: Kafka's words here, its numbers in the metadata service's messages.
import { create } from '@bufbuild/protobuf';
import * as messages from '@penstock/metadata-protocol';
import {
  type Acl,
  type AclFilter,
  type AclModeName,
  type AuthenticationRequirementName,
  aclModes,
  aclOperations,
  aclPatternTypes,
  aclPermissions,
  aclResourceTypes,
  authenticationRequirements,
  type ScramMechanismName,
  type ScramVerifier,
  scramMechanisms,
} from './access-input.ts';

/** Kafka's number of ANY in a filter. */
const ANY = 1;
const MATCH = 2;

/** The numbers of words that are numbered in their order. */
function numbering<Word extends string>(words: readonly Word[], first: number) {
  return {
    numberOf: (word: Word): number => first + words.indexOf(word),
    wordOf: (number: number): Word => {
      const word = words[number - first];
      if (word === undefined) {
        throw new Error(`The metadata service sent the unknown number ${number}.`);
      }
      return word;
    },
  };
}

const mechanisms = numbering<ScramMechanismName>(scramMechanisms, 1);
const resourceTypes = numbering(aclResourceTypes, 2);
const patternTypes = numbering(aclPatternTypes, 3);
const operations = numbering(aclOperations, 2);
/** 2 is DENY, 3 is ALLOW. */
const permissions = numbering(aclPermissions.toReversed() as ('ALLOW' | 'DENY')[], 2);
const modes = numbering<AclModeName>(aclModes, 1);
const requirements = numbering<AuthenticationRequirementName>(authenticationRequirements, 1);

export interface UserCredential {
  mechanism: ScramMechanismName;
  iterations: number;
  createdAt: Date;
  /** Null when it does not expire. */
  expiresAt: Date | null;
  /** When a client that signed in with it was last connected; null if none was seen. Up to a minute behind. */
  lastUsedAt: Date | null;
  /** Address of the client that signed in last; null if none was seen. */
  lastUsedFrom: string | null;
}

/** The latest use of a credential, as agents reported it. */
export interface CredentialUse {
  user: string;
  mechanism: number;
  host: string;
  lastAt: Date;
}

/** A Kafka user of a cluster. Verifiers never leave the metadata service and the agents. */
export interface ClusterUser {
  user: string;
  credentials: UserCredential[];
}

export interface SecuritySettings {
  /** Increases with each change of users, ACLs, quotas and settings. */
  version: number;
  superUsers: string[];
  allowEveryoneIfNoAclFound: boolean;
  aclMode: AclModeName;
  authentication: AuthenticationRequirementName;
}

export interface ClientQuota {
  /** Null: the quota does not depend on the user. Empty: the default of users without a quota of their own. */
  user: string | null;
  /** The client id of the quota; null as above. */
  clientId: string | null;
  /** Bytes per second and agent. */
  producerByteRate: number | null;
  consumerByteRate: number | null;
  /** Percent of one thread's time. */
  requestPercentage: number | null;
}

/** By name. A use from before a credential was created was one of an earlier credential. */
export function usersOf(
  { credentials }: Pick<messages.SecurityState, 'credentials'>,
  uses: readonly CredentialUse[],
): ClusterUser[] {
  const users = new Map<string, ClusterUser>();
  const useByKey = new Map(uses.map((use) => [`${use.mechanism} ${use.user}`, use]));
  for (const { user, mechanism, iterations, createdAtMs, expiresAtMs } of credentials) {
    const known = users.get(user) ?? { user, credentials: [] };
    users.set(user, known);
    const use = useByKey.get(`${mechanism} ${user}`);
    const isUsed = use !== undefined && use.lastAt.getTime() >= Number(createdAtMs);
    known.credentials.push({
      mechanism: mechanisms.wordOf(mechanism),
      iterations,
      createdAt: new Date(Number(createdAtMs)),
      expiresAt: expiresAtMs === 0n ? null : new Date(Number(expiresAtMs)),
      lastUsedAt: isUsed ? use.lastAt : null,
      lastUsedFrom: isUsed ? use.host : null,
    });
  }
  return [...users.values()];
}

export function credentialMessage(user: string, verifier: ScramVerifier): messages.ScramCredential {
  return create(messages.ScramCredentialSchema, {
    user,
    mechanism: mechanisms.numberOf(verifier.mechanism),
    salt: Buffer.from(verifier.salt, 'base64'),
    storedKey: Buffer.from(verifier.storedKey, 'base64'),
    serverKey: Buffer.from(verifier.serverKey, 'base64'),
    iterations: verifier.iterations,
    expiresAtMs: BigInt(verifier.expiresAt?.getTime() ?? 0),
  });
}

export function deletionMessage(user: string, mechanism: ScramMechanismName): messages.ScramDeletion {
  return create(messages.ScramDeletionSchema, { user, mechanism: mechanisms.numberOf(mechanism) });
}

export function aclOf(binding: Omit<messages.AclBinding, '$typeName' | '$unknown'>): Acl {
  return {
    resourceType: resourceTypes.wordOf(binding.resourceType),
    resourceName: binding.resourceName,
    patternType: patternTypes.wordOf(binding.patternType),
    principal: binding.principal,
    host: binding.host,
    operation: operations.wordOf(binding.operation),
    permission: permissions.wordOf(binding.permissionType),
  };
}

export function bindingMessage(acl: Acl): messages.AclBinding {
  return create(messages.AclBindingSchema, {
    resourceType: resourceTypes.numberOf(acl.resourceType),
    resourceName: acl.resourceName,
    patternType: patternTypes.numberOf(acl.patternType),
    principal: acl.principal,
    host: acl.host,
    operation: operations.numberOf(acl.operation),
    permissionType: permissions.numberOf(acl.permission),
  });
}

export function filterMessage(filter: AclFilter): messages.AclFilter {
  const { resourceType, resourceName, patternType, principal, host, operation, permission } = filter;
  const patternNumber =
    patternType === undefined ? ANY : patternType === 'MATCH' ? MATCH : patternTypes.numberOf(patternType);
  return create(messages.AclFilterSchema, {
    resourceType: resourceType === undefined ? ANY : resourceTypes.numberOf(resourceType),
    ...(resourceName !== undefined && { resourceName }),
    patternType: patternNumber,
    ...(principal !== undefined && { principal }),
    ...(host !== undefined && { host }),
    operation: operation === undefined ? ANY : operations.numberOf(operation),
    permissionType: permission === undefined ? ANY : permissions.numberOf(permission),
  });
}

export function settingsOf({ version, settings }: messages.SecurityState): SecuritySettings {
  return {
    version: Number(version),
    superUsers: settings?.superUsers ?? [],
    allowEveryoneIfNoAclFound: settings?.allowEveryoneIfNoAclFound ?? false,
    aclMode: modes.wordOf(settings?.aclMode || messages.AclMode.DISABLED),
    authentication: requirements.wordOf(
      settings?.authentication || messages.AuthenticationRequirement.WHEN_CREDENTIALS_EXIST,
    ),
  };
}

export function settingsMessage(settings: Omit<SecuritySettings, 'version'>): messages.SecuritySettings {
  return create(messages.SecuritySettingsSchema, {
    superUsers: settings.superUsers,
    allowEveryoneIfNoAclFound: settings.allowEveryoneIfNoAclFound,
    aclMode: modes.numberOf(settings.aclMode),
    authentication: requirements.numberOf(settings.authentication),
  });
}

export function quotaOf(quota: messages.ClientQuota): ClientQuota {
  return {
    user: quota.user ?? null,
    clientId: quota.clientId ?? null,
    producerByteRate: quota.producerByteRate ?? null,
    consumerByteRate: quota.consumerByteRate ?? null,
    requestPercentage: quota.requestPercentage ?? null,
  };
}

export function mechanismName(number: number): ScramMechanismName {
  return mechanisms.wordOf(number);
}

/** An ACL in one line, for the audit log. */
export function aclText({
  resourceType,
  resourceName,
  patternType,
  principal,
  host,
  operation,
  permission,
}: Acl): string {
  return `${permission} ${principal} from ${host} to ${operation} ${resourceType} ${patternType}:${resourceName}`;
}
