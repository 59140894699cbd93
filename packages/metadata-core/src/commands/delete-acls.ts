// DeleteAcls: removes all ACLs that filters match. Every filter is compared with the ACLs from before the command.
import { ErrorCode } from '../model/error-code.ts';
import { MAX_WIDE_ACL_FILTERS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import { type AclBinding, aclKey, removeAcl, type Security } from '../model/security.ts';
import type { AclFilter, DeleteAcls, ErrorResult } from '../model/security.types.ts';
import { filterProblem, matches, onlyMatch } from '../security/acl-rules.ts';
import { ACCEPTED, advance } from '../security/results.ts';
import type { ClusterState } from '../state/cluster-state.ts';

export function deleteAcls(state: ClusterState, command: DeleteAcls): Outcome<'delete-acls'> {
  const { security } = state;
  let wideFilters = 0;
  const results = command.filters.map((filter) => {
    wideFilters += onlyMatch(filter) === null ? 1 : 0;
    const problem = filterProblem(filter) ?? widthProblem(wideFilters);
    return { ...(problem ?? ACCEPTED), deleted: problem === null ? matched(security, filter) : [] };
  });
  let isChanged = false;
  for (const { deleted } of results) {
    for (const acl of deleted) {
      isChanged = removeAcl(security, acl) || isChanged;
    }
  }
  if (!isChanged) {
    return unchanged({ results });
  }
  advance(security);
  return changed({ results }, { securityChanged: true });
}

/** A filter that can match several ACLs is compared with all of them, which takes up to a millisecond. */
function widthProblem(wideFilters: number): ErrorResult | null {
  if (wideFilters <= MAX_WIDE_ACL_FILTERS) {
    return null;
  }
  const errorMessage = `A request has at most ${MAX_WIDE_ACL_FILTERS} filters that can match several ACLs: send the rest in another one.`;
  return { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage };
}

function matched(security: Security, filter: AclFilter): AclBinding[] {
  const only = onlyMatch(filter);
  if (only === null) {
    return [...security.acls.values()].filter((acl) => matches(filter, acl));
  }
  const found = security.acls.get(aclKey(only));
  return found === undefined ? [] : [found];
}
