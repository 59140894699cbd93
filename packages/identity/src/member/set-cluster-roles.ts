// Sets the clusters that a member has a role of their own for. It applies from their next request.
import { type ClusterRoleEntry, listClusterRoles, recordAudit, type Scope } from '@penstock/tenancy';
import { requireOwnClusters } from '../api-key/own-clusters.ts';
import { findActingMember, findMember, lockMembers, requireReach } from './member.ts';

/** Replaces all of them. @throws AppError `member_not_found`, `role_out_of_reach`, `cluster_unknown` */
export async function setClusterRoles(
  scope: Scope,
  input: { userId: string; clusterRoles: readonly ClusterRoleEntry[] },
): Promise<void> {
  await lockMembers(scope);
  const acting = await findActingMember(scope);
  const before = await findMember(scope, input.userId);
  requireReach(acting, before.role);
  const clusterRoles = await requireOwnClusters(scope, input.clusterRoles);
  const after = listClusterRoles(clusterRoles);
  if (JSON.stringify(after) === JSON.stringify(before.clusterRoles)) {
    return;
  }
  await scope.tx.member.update({
    where: { organizationId_userId: { organizationId: scope.organizationId, userId: before.userId } },
    data: { clusterRoles },
  });
  await recordAudit(scope, {
    action: 'member.change-cluster-roles',
    targetType: 'member',
    targetId: before.userId,
    before: { email: before.email, clusterRoles: recorded(before.clusterRoles) },
    after: { email: before.email, clusterRoles: recorded(after) },
  });
}

/** The form in the audit log: roles by cluster id. */
function recorded(entries: readonly ClusterRoleEntry[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ clusterId, role }) => [clusterId, role]));
}
