// For tests: short ways to write credentials, ACLs and filters.

import type { AclBinding } from '../model/security.ts';
import type { AclFilter, AlterUserScramCredentials } from '../model/security.types.ts';
import { AclOperation, AclPermission, PatternType, ResourceType } from '../security/acl-numbers.ts';
import { ScramMechanism } from '../security/scram-rules.ts';

export type Verifier = AlterUserScramCredentials['upserts'][number];

export function verifier(fields: Partial<Verifier> = {}): Verifier {
  const mechanism = fields.mechanism ?? ScramMechanism.SHA_256;
  const keyBytes = mechanism === ScramMechanism.SHA_256 ? 32 : 64;
  return {
    user: 'alice',
    salt: Uint8Array.of(1, 2, 3),
    storedKey: new Uint8Array(keyBytes).fill(1),
    serverKey: new Uint8Array(keyBytes).fill(2),
    iterations: 4_096,
    expiresAtMs: 0,
    ...fields,
    mechanism,
  };
}

/** Alice may read topic orders, unless fields say otherwise. */
export function acl(fields: Partial<AclBinding> = {}): AclBinding {
  return {
    resourceType: ResourceType.TOPIC,
    resourceName: 'orders',
    patternType: PatternType.LITERAL,
    principal: 'User:alice',
    host: '*',
    operation: AclOperation.READ,
    permissionType: AclPermission.ALLOW,
    ...fields,
  };
}

/** Matches every ACL, unless fields say otherwise. */
export function filter(fields: Partial<AclFilter> = {}): AclFilter {
  return {
    resourceType: ResourceType.ANY,
    resourceName: null,
    patternType: PatternType.ANY,
    principal: null,
    host: null,
    operation: AclOperation.ANY,
    permissionType: AclPermission.ANY,
    ...fields,
  };
}
