// CreateAcls: adds ACLs. Each is accepted or refused on its own.
import { ErrorCode } from '../model/error-code.ts';
import { MAX_ACL_CHARS, MAX_ACLS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type AclBinding, aclChars, aclKey, addAcl, type Security } from '../model/security.ts';
import type { CreateAcls, ErrorResult } from '../model/security.types.ts';
import { bindingProblem } from '../security/acl-rules.ts';
import { ACCEPTED, advance } from '../security/results.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function createAcls(state: ClusterState, command: CreateAcls): Outcome<'create-acls'> {
  const { security } = state;
  const before = security.acls.size;
  const results = command.bindings.map((acl) => {
    const problem = bindingProblem(acl);
    return problem ?? addIfAbsent(security, acl);
  });
  if (security.acls.size === before) {
    return unchanged({ results });
  }
  advance(security);
  return changed({ results }, { securityChanged: true });
}

function addIfAbsent(security: Security, acl: AclBinding): ErrorResult {
  if (security.acls.has(aclKey(acl))) {
    return ACCEPTED;
  }
  if (security.acls.size >= MAX_ACLS) {
    const errorMessage = `The cluster has ${MAX_ACLS} ACLs, the most it can have. Use prefixed patterns, or delete ACLs that are no longer needed.`;
    return { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage };
  }
  if (security.aclChars + aclChars(acl) > MAX_ACL_CHARS) {
    const errorMessage = `The names in all ACLs together have more than ${MAX_ACL_CHARS} characters. Use shorter patterns, or delete ACLs that are no longer needed.`;
    return { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage };
  }
  addAcl(security, { ...acl });
  return ACCEPTED;
}
