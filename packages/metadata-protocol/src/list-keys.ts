// The keys that order lists of ACLs and quotas, by which pages go on: the service and its callers compute the same ones.
import { createHash } from 'node:crypto';
import type { AclBinding, ClientQuota } from './gen/penstock/metadata/v1/metadata_pb.js';

const LONGEST_TEXT = 200;

/** By resource: its type, then its name. */
export function aclKey(acl: Omit<AclBinding, '$typeName' | '$unknown'>): string {
  const { resourceType, resourceName, patternType, principal, host, operation, permissionType } = acl;
  const rule = [patternType, principal, host, operation, permissionType];
  return shortened(JSON.stringify([resourceType, resourceName, ...rule]));
}

/** By user, then client id; those that depend on none come last. */
export function quotaKey({ user, clientId }: Pick<ClientQuota, 'user' | 'clientId'>): string {
  return shortened(JSON.stringify([user ?? null, clientId ?? null]));
}

/** Bounds cursors. Texts that begin with the same 200 characters are in no particular order. */
function shortened(text: string): string {
  return text.length <= LONGEST_TEXT
    ? text
    : text.slice(0, LONGEST_TEXT) + createHash('sha256').update(text).digest('base64url');
}
