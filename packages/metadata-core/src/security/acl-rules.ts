// Which ACLs can exist, and which of them a filter matches. Both are Kafka's rules (AclControlManager, ResourcePatternFilter and
// AccessControlEntryFilter of Kafka 4.3). Like a broker, they allow operations that a type of resource doesn't have.

import { ErrorCode } from '../model/error-code.ts';
import { MAX_ACL_HOST_CHARS, MAX_ACL_RESOURCE_NAME_CHARS, MAX_PRINCIPAL_CHARS } from '../model/limits.ts';
import type { AclBinding } from '../model/security.ts';
import type { AclFilter, ErrorResult } from '../model/security.types.ts';
import {
  AclOperation,
  AclPermission,
  CLUSTER_RESOURCE_NAME,
  PatternType,
  ResourceType,
  WILDCARD_RESOURCE,
} from './acl-numbers.ts';
import { quoted } from './results.ts';

const isOneOf = (numbers: Readonly<Record<string, number>>, number: number): boolean =>
  Object.values(numbers).includes(number);

/** Null when such an ACL can exist. */
export function bindingProblem(acl: AclBinding): ErrorResult | null {
  const { resourceType, resourceName, patternType, principal, host, operation, permissionType } = acl;
  if (resourceType === ResourceType.ANY || !isOneOf(ResourceType, resourceType)) {
    return invalid(`Resource type ${resourceType} can't have ACLs: name one type of resource.`);
  }
  if (patternType !== PatternType.LITERAL && patternType !== PatternType.PREFIXED) {
    return invalid(`Pattern type ${patternType} can't have ACLs: use LITERAL (3) or PREFIXED (4).`);
  }
  if (operation === AclOperation.ANY || !isOneOf(AclOperation, operation)) {
    return invalid(`Operation ${operation} can't be granted or denied: use ALL (2) for every operation.`);
  }
  if (permissionType !== AclPermission.ALLOW && permissionType !== AclPermission.DENY) {
    return invalid(`Permission type ${permissionType} is unknown: use DENY (2) or ALLOW (3).`);
  }
  if (resourceName === '') {
    return invalid('The resource name is empty: use * for all resources of the type.');
  }
  if (resourceType === ResourceType.CLUSTER && resourceName !== CLUSTER_RESOURCE_NAME) {
    return invalid(`The only resource of type CLUSTER is ${CLUSTER_RESOURCE_NAME}.`);
  }
  const wrongPrincipal = principalProblem(principal);
  if (wrongPrincipal !== null) {
    return wrongPrincipal;
  }
  if (resourceName.length > MAX_ACL_RESOURCE_NAME_CHARS) {
    return refusedByPolicy(`The resource name has more than ${MAX_ACL_RESOURCE_NAME_CHARS} characters.`);
  }
  if (host === '') {
    return invalid('The host is empty: use * for all addresses.');
  }
  if (host.length > MAX_ACL_HOST_CHARS) {
    return refusedByPolicy(`The host has more than ${MAX_ACL_HOST_CHARS} characters.`);
  }
  return null;
}

/** Null when this is a principal: a type and a name, such as "User:alice". */
export function principalProblem(principal: string): ErrorResult | null {
  if (!principal.includes(':')) {
    return invalid(`The principal ${quoted(principal)} has no type: write User:name, or User:* for everyone.`);
  }
  return principal.length > MAX_PRINCIPAL_CHARS
    ? refusedByPolicy(`The principal has more than ${MAX_PRINCIPAL_CHARS} characters.`)
    : null;
}

/** Null when all numbers of the filter are known. */
export function filterProblem(filter: AclFilter): ErrorResult | null {
  const { resourceType, patternType, operation, permissionType } = filter;
  const isKnown =
    isOneOf(ResourceType, resourceType) &&
    isOneOf(PatternType, patternType) &&
    isOneOf(AclOperation, operation) &&
    isOneOf(AclPermission, permissionType);
  return isKnown
    ? null
    : invalid('The filter has an unknown resource type, pattern type, operation or permission type.');
}

/** The only ACL that the filter can match; null when it can match several. */
export function onlyMatch(filter: AclFilter): AclBinding | null {
  const { resourceType, resourceName, patternType, principal, host, operation, permissionType } = filter;
  return resourceName === null ||
    principal === null ||
    host === null ||
    resourceType === ResourceType.ANY ||
    patternType === PatternType.ANY ||
    patternType === PatternType.MATCH ||
    operation === AclOperation.ANY ||
    permissionType === AclPermission.ANY
    ? null
    : { resourceType, resourceName, patternType, principal, host, operation, permissionType };
}

/** Whether the filter matches the ACL. */
export function matches(filter: AclFilter, acl: AclBinding): boolean {
  return (
    (filter.resourceType === ResourceType.ANY || filter.resourceType === acl.resourceType) &&
    matchesPattern(filter, acl) &&
    (filter.principal === null || filter.principal === acl.principal) &&
    (filter.host === null || filter.host === acl.host) &&
    (filter.operation === AclOperation.ANY || filter.operation === acl.operation) &&
    (filter.permissionType === AclPermission.ANY || filter.permissionType === acl.permissionType)
  );
}

function matchesPattern({ patternType, resourceName }: AclFilter, acl: AclBinding): boolean {
  if (patternType !== PatternType.ANY && patternType !== PatternType.MATCH && patternType !== acl.patternType) {
    return false;
  }
  if (resourceName === null) {
    return true;
  }
  if (patternType !== PatternType.MATCH) {
    return resourceName === acl.resourceName;
  }
  return acl.patternType === PatternType.PREFIXED
    ? resourceName.startsWith(acl.resourceName)
    : resourceName === acl.resourceName || acl.resourceName === WILDCARD_RESOURCE;
}

function invalid(errorMessage: string): ErrorResult {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage };
}

function refusedByPolicy(errorMessage: string): ErrorResult {
  return { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage };
}
